// What every other module stands on.
export const $ = (selector, root = document) => root.querySelector(selector);
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];
// What is said stands on the page, in its language.
export const say = (name) => document.body.dataset[`say${name}`];
const asking = {};
export function soon(name, act) {
  clearTimeout(asking[name]);
  asking[name] = setTimeout(act, 120);
}
export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
export const isOfNow = !new URL(location).searchParams.get('asOf');
export const isTyping = (target) => target.closest?.('input, select, textarea, [contenteditable]');
export const read = async (answer) => new DOMParser().parseFromString(await answer.text(), 'text/html');
