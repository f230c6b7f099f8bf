// Keyboard shortcuts, the command palette, live updates and endless lists. Every page works without them.
import { $, isOfNow, isTyping, pause, read } from './basics.js';
import { focusEntry } from './entry.js';
import './counting.js';
import { assignFirst } from './envelopes.js';
import { accept } from './inbox.js';
import './list.js';
import './news.js';
import { openKeys, openPalette } from './palette.js';
import { clearSelection, editRow, toggleRow, walk } from './rows.js';

// Remove the parameters of a notice, so that reloading the page doesn't show it again.
const said = new URL(location);
if (said.searchParams.has('done')) {
  for (const name of ['done', 'commit', 'entryDay', 'entryAccount']) said.searchParams.delete(name);
  history.replaceState(history.state, '', said);
}

// Submits a form that is not on the page.
function send(action, fields) {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement('input');
    field.type = 'hidden';
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}

let waitsForView = false;
document.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    openPalette();
    return;
  }
  const key = event.key.toLowerCase();
  const isRedo = key === 'y' || key === 'z' && event.shiftKey;
  if ((event.ctrlKey || event.metaKey) && (key === 'z' || isRedo) && !isTyping(event.target)) {
    event.preventDefault();
    if (isOfNow) send(isRedo ? '/redo' : '/undo', { back: location.pathname + location.search });
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || $('dialog[open]')) return;
  if (waitsForView) {
    waitsForView = false;
    const link = $(`[data-go="${CSS.escape(event.key)}"]`);
    if (link) { event.preventDefault(); link.click(); }
    return;
  }
  const command = $(`[data-key="${CSS.escape(event.key)}"]`);
  if (event.key === 'g') waitsForView = true;
  else if (event.key === '?') openKeys();
  else if (event.key === '/') { event.preventDefault(); $('#find')?.focus(); }
  else if (event.key === 'x' && $('.row.at')) toggleRow();
  else if (event.key === 'e' && $('.row.at')) { event.preventDefault(); editRow($('.row.at')); }
  else if (event.key === 'a' && $('.row.at [name=accept]')) accept($('.row.at'));
  else if (event.key === 'a' && assignFirst()) event.preventDefault();
  else if (key === 'j' || event.shiftKey && key === 'arrowdown') {
    event.preventDefault();
    walk(1, event.shiftKey);
  } else if (key === 'k' || event.shiftKey && key === 'arrowup') {
    event.preventDefault();
    walk(-1, event.shiftKey);
  } else if (event.key === 'Escape') clearSelection();
  else if (event.key === 'n' && focusEntry()) event.preventDefault();
  else if (command) { event.preventDefault(); command.click(); }
});

// A column's header opens its filter.
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('.head [data-filter]');
  const field = link && $(`#f-${link.dataset.filter}`);
  if (!field) return;
  event.preventDefault();
  field.closest('details').open = true;
  field.focus();
});
if (location.hash.startsWith('#f-')) $(location.hash)?.focus();
document.addEventListener('change', ({ target }) => { if (target.id === 'at') target.form.requestSubmit(); });

$('.menu [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

// The server shows times in the browser's zone.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (timeZone) document.cookie = `daybook-zone=${timeZone}; path=/; max-age=34560000; samesite=strict`;

// Focus the first field with an error.
$('main [aria-invalid]')?.focus();

// Updates the page while a verification is running.
async function followCheck() {
  while ($('.verifying')) {
    await pause(300);
    const answer = await fetch(location, { credentials: 'same-origin' }).catch(() => null);
    if (!answer?.ok) continue;
    const page = await read(answer);
    $('main').replaceWith($('main', page));
    $('footer').replaceWith($('footer', page));
  }
}
followCheck();

// A file can be dropped anywhere on the page. It is previewed before anything is recorded.
function dropForm() {
  const form = document.createElement('form');
  form.hidden = true;
  form.method = 'post';
  form.action = '/import';
  form.enctype = 'multipart/form-data';
  const field = document.createElement('input');
  field.type = 'file';
  field.name = 'file';
  form.append(field);
  document.body.append(form);
  return form;
}
for (const kind of ['dragover', 'drop', 'dragleave']) {
  addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    ($('.drop') ?? document.body).classList.toggle('over', kind === 'dragover');
    if (kind !== 'drop' || !event.dataTransfer.files.length) return;
    const form = $('.drop') ?? dropForm();
    $('input[type=file]', form).files = event.dataTransfer.files;
    form.requestSubmit();
  });
}
