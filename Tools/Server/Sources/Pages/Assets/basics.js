// Helpers for the other modules.
export const $ = (selector, root = document) => root.querySelector(selector);
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];
// The page contains the texts, in its language.
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
