// The command palette, and the list of keyboard shortcuts.
import { $, all, say } from './basics.js';

// The commands are the page's links that have a key or are in the menu.
const commands = () => all('.menu a, [data-key]').filter((link) => link.href)
  .map((link) => ({ name: link.textContent.trim(), href: link.href,
    key: link.dataset.go ? `g ${link.dataset.go}` : link.dataset.key }));

function dialog(label) {
  $('dialog')?.remove();
  const box = document.createElement('dialog');
  box.setAttribute('aria-label', label);
  document.body.append(box);
  box.addEventListener('close', () => box.remove());
  return box;
}

function line({ name, href, key }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  if (href) link.href = href;
  link.append(name);
  if (key) {
    const mark = document.createElement('kbd');
    mark.textContent = key;
    link.append(mark);
  }
  item.append(link);
  return item;
}

// Returns an address as of the same moment as the page.
function inMoment(path) {
  const address = new URL(path, location);
  for (const name of path.startsWith('/v1') ? ['asOf', 'today'] : ['asOf', 'today', 'on']) {
    const value = new URL(location).searchParams.get(name);
    if (value) address.searchParams.set(name, value);
  }
  return address.href;
}
// The accounts and categories that the palette can open, requested once.
let asked = null;
const named = () => asked ??= Promise.all(['accounts', 'categories'].map(async (kind) => {
  const answer = await fetch(inMoment(`/v1/${kind}?limit=500`)).catch(() => null);
  return answer?.ok ? (await answer.json())[kind] : [];
})).then(([accounts, categories]) => {
  return [...accounts.map(({ account }) => ({ name: account.name, href: inMoment(`/transactions?account=${account.id}`) })),
    ...categories.map(({ id, name }) => ({ name, href: inMoment(`/categories/${id}`) }))];
});

export function openPalette() {
  const box = dialog(say('Palette'));
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = say('GoTo');
  input.setAttribute('aria-label', say('GoTo'));
  const list = document.createElement('ul');
  box.append(input, list);
  let chosen = 0;
  let names = [];
  const show = () => {
    const wanted = input.value.trim().toLowerCase();
    const known = wanted ? [...commands(), ...names] : commands();
    const found = known.filter((one) => one.name.toLowerCase().includes(wanted)).slice(0, 30);
    if (wanted) {
      found.push({ name: `${say('Search')} “${input.value}”`,
        href: inMoment(`/transactions?text=${encodeURIComponent(input.value)}`) });
    }
    list.replaceChildren(...found.map(line));
    chosen = Math.max(0, Math.min(chosen, found.length - 1));
    all('a', list).forEach((link, index) => link.classList.toggle("at", index === chosen));
  };
  input.addEventListener('input', () => { chosen = 0; show(); });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      chosen += event.key === 'ArrowDown' ? 1 : -1;
      show();
      event.preventDefault();
    } else if (event.key === 'Escape') {
      // Remove the dialog, because a closed one keeps the focus for a moment and would receive the next key.
      event.preventDefault();
      box.remove();
    } else if (event.key === 'Enter') {
      all('a', list)[chosen]?.click();
      event.preventDefault();
    }
  });
  show();
  named().then((found) => { names = found; show(); });
  box.showModal();
  input.focus();
}

export function openKeys() {
  const box = dialog(say('Keys'));
  const title = document.createElement('h2');
  title.textContent = say('Keys');
  const list = document.createElement('ul');
  list.append(...[...commands(), { name: say('Palette'), key: 'Ctrl-K' }, { name: say('Undo'), key: 'Ctrl-Z' },
    { name: say('Redo'), key: 'Ctrl-Y' }, { name: say('Search'), key: '/' },
    { name: say('Rows'), key: 'j k' }, { name: say('Open'), key: 'Enter' },
    { name: say('Select'), key: 'x' }, { name: say('SelectMore'), key: 'Shift-J Shift-K' }, { name: say('Inline'), key: 'e' },
    { name: say('Split'), key: 'Ctrl-Enter' }, { name: say('Accept'), key: 'a' },
    { name: say('Assign'), key: 'a' }].map(line));
  box.append(title, list);
  box.tabIndex = -1;
  box.showModal();
}
