// Completes what is typed into a field: a list of choices, of which the first that begins with the text is filled in.
import { all } from './basics.js';

let number = 0;
// `find` returns the choices for a text, each with its `text`. A field that isn't free takes its first choice when
// it is left; a free one keeps the typed text and the suggested values.
export function complete(input, find, { isFree = false, choose = () => {} } = {}) {
  const list = document.createElement('ul');
  list.id = `choices-${number += 1}`;
  list.className = 'choices';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', input.getAttribute('aria-label'));
  list.hidden = true;
  input.after(list);
  input.removeAttribute('list');
  for (const [name, value] of [['role', 'combobox'], ['aria-autocomplete', 'both'], ['aria-expanded', 'false'],
    ['aria-controls', list.id]]) input.setAttribute(name, value);
  let choices = [];
  let at = -1;
  let asked = 0;
  let pending = null;
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const mark = () => {
    all('li', list).forEach((item, index) => item.setAttribute('aria-selected', index === at));
    const item = list.children[at];
    if (item) input.setAttribute('aria-activedescendant', item.id);
    else input.removeAttribute('aria-activedescendant');
  };
  const take = (index) => {
    const chosen = choices[index];
    close();
    if (!chosen) return;
    input.value = chosen.text;
    choose(chosen);
  };
  const show = () => {
    list.replaceChildren(...choices.map(({ text }, index) => {
      const item = document.createElement('li');
      item.id = `${list.id}-${index}`;
      item.setAttribute('role', 'option');
      item.append(text);
      // The field keeps the focus when a choice is clicked.
      item.addEventListener('pointerdown', (event) => { event.preventDefault(); take(index); });
      return item;
    }));
    list.hidden = !choices.length;
    list.style.left = `${input.offsetLeft}px`;
    list.style.top = `${input.offsetTop + input.offsetHeight}px`;
    input.setAttribute('aria-expanded', String(!list.hidden));
    mark();
  };
  const ask = async (isTyped) => {
    const typed = input.value;
    const turn = asked += 1;
    const request = Promise.resolve(find(typed));
    pending = request;
    const found = await request;
    if (pending === request) pending = null;
    if (turn !== asked || document.activeElement !== input) return;
    choices = found;
    at = -1;
    if (typed) {
      const first = choices.findIndex(({ text }) => text.toLowerCase().startsWith(typed.toLowerCase()));
      at = first >= 0 ? first : isFree ? -1 : 0;
      // What follows the typed text is selected, so that typing on replaces it.
      if (isTyped && first >= 0 && input.selectionEnd === typed.length) {
        input.setRangeText(choices[first].text.slice(typed.length), typed.length, typed.length, 'end');
        input.setSelectionRange(typed.length, input.value.length);
      }
    }
    show();
  };
  input.addEventListener('input', (event) => ask(event.inputType?.startsWith('insert')));
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (list.hidden) { ask(false); return; }
      at = event.key === 'ArrowDown' ? (at + 1) % choices.length : (at > 0 ? at : choices.length) - 1;
      input.value = choices[at].text;
      mark();
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      asked += 1;
      close();
      at = -1;
    }
  });
  // What is typed becomes the choice that it names or, if the field isn't free, the marked one.
  const settle = () => {
    const typed = input.value.trim().toLowerCase();
    const same = choices.findIndex(({ text }) => text.toLowerCase() === typed);
    if (same >= 0) take(same);
    else if (!isFree && typed) take(Math.max(at, 0));
    close();
  };
  // Enter takes the marked choice; without one, it sends the form.
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || list.hidden || at < 0) return;
    event.preventDefault();
    take(at);
  });
  input.addEventListener('blur', async () => {
    const turn = asked;
    settle();
    // A quick typist leaves the field before the choices arrive.
    if (pending) choices = await pending;
    if (turn === asked) settle();
    choices = [];
  });
}
