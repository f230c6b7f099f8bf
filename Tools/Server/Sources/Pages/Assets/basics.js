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
// Whether a field is in the row for adding a transaction, into which nothing has been typed yet.
export const isCleanEntry = (target) => target.form?.matches('.entry')
  && all('input:not([type=hidden], [type=date], [type=checkbox])', target.form).every((input) => !input.value);
export const read = async (answer) => new DOMParser().parseFromString(await answer.text(), 'text/html');
