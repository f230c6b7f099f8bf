// Navigating, selecting and editing the rows of a list.
import { $, all, read } from './basics.js';
import { away, during, refresh } from './news.js';

// j and k move to the next and the previous row; with Shift they select the rows on the way.
export function walk(step, isSelecting = false) {
  const rows = all('.row');
  if (!rows.length) return;
  const at = rows.findIndex((row) => row.classList.contains('at'));
  const next = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + step))];
  if (isSelecting) {
    for (const row of [rows[at], next]) select($('input[name=row]', row ?? next), true);
    count();
  }
  rows[at]?.classList.remove('at');
  next.classList.add('at');
  next.scrollIntoView({ block: 'nearest' });
  $('.what', next).focus({ preventScroll: true });
}

// x or a click on the checkbox selects a row; Shift-click selects a range.
let lastBox = null;
const selected = new Set();
// Classes instead of CSS's :has(), which would be matched against all rows after each tick.
function select(box, isOn) {
  if (!box) return;
  box.checked = isOn;
  box.closest('.row').classList.toggle('selected', isOn);
  if (isOn) selected.add(box); else selected.delete(box);
}
function count() {
  const bar = $('#several');
  if (!bar) return;
  $('.selected-count', bar).textContent = selected.size;
  bar.classList.toggle('on', selected.size > 0);
}
// Finds the selected rows of a list that was replaced.
export function tell() {
  selected.clear();
  for (const box of all('.row > :checked')) select(box, true);
  count();
}
export function clearSelection() {
  for (const box of [...selected]) select(box, false);
  count();
}
document.addEventListener('click', (event) => {
  const box = event.target.closest?.('.row > input');
  if (!box) return;
  if (event.shiftKey && lastBox) {
    const boxes = all('.row > input');
    const [from, to] = [boxes.indexOf(lastBox), boxes.indexOf(box)].sort((a, b) => a - b);
    if (from >= 0) boxes.slice(from, to + 1).forEach((one) => select(one, box.checked));
  }
  select(box, box.checked);
  lastBox = box;
  count();
});
export function toggleRow() {
  const row = $('.row.at');
  const box = row && $('input[name=row]', row);
  if (box) { select(box, !box.checked); lastBox = box; count(); }
}
tell();

// Edits a row in the list, with the form of its page reduced to the most important fields.
const shown = ['day', 'payee', 'category', 'description', 'account', 'otherAccount', 'amount'];
// The field of each cell.
const fields = { on: 'day', where: 'category', more: 'description', from: 'account', amount: 'amount' };
function showForm(row, page, name = 'payee') {
  const form = $('main form.grid', page);
  if (!form || !$('#f-payee', form)) return false;
  form.classList.remove('card');
  for (const field of all('p:not(.actions)', form)) {
    const name = $('input, select', field)?.name;
    field.hidden = !shown.includes(name) && !$('.fault', field);
  }
  // The filter form on the same page has fields with the same ids.
  for (const one of all('[id]', form)) one.id = `row-${one.id}`;
  for (const name of ['for', 'list', 'aria-describedby']) {
    for (const one of all(`[${name}]`, form)) one.setAttribute(name, `row-${one.getAttribute(name)}`);
  }
  $('.actions a', form).removeAttribute('href');
  $('.actions a', form).setAttribute('role', 'button');
  $('.actions a', form).tabIndex = 0;
  const problem = $('main .problem', page);
  row.replaceChildren(...(problem ? [problem] : []), form);
  const wanted = $(`#row-f-${name}`, form);
  ($('[aria-invalid]', form) ?? (wanted?.checkVisibility() ? wanted : $('#row-f-payee', form))).focus();
  return true;
}
export async function editRow(row, name) {
  if (!row || row.classList.contains('editing') || !$('.row > input')) return;
  const link = $('.what', row).href;
  const answer = await fetch(`${new URL(link).pathname}/edit`, { credentials: 'same-origin' }).catch(() => null);
  if (!answer?.ok) { location.href = link; return; }
  const before = [...row.childNodes];
  if (!showForm(row, await read(answer), name)) { location.href = link; return; }
  $('#several')?.classList.remove('on');
  row.classList.add('editing');
  const close = () => {
    row.classList.remove('editing');
    row.replaceChildren(...before);
    tell();
    $('.what', row)?.focus();
  };
  row.onkeydown = (event) => { if (event.key === 'Escape') close(); };
  row.onclick = (event) => { if (event.target.closest('.actions a')) close(); };
  row.onsubmit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const sent = await fetch(form.action, { method: 'POST', credentials: 'same-origin', body: new URLSearchParams(new FormData(form)) })
      .catch(() => null);
    if (!sent) { away(true); return; }
    if (!sent.ok) { showForm(row, await read(sent)); return; }
    row.classList.remove('editing');
    await during(refresh);
    const again = $(`[data-number="${row.dataset.number}"]`);
    again?.classList.add('at');
    $('.what', again ?? document.body)?.focus({ preventScroll: true });
  };
}
document.addEventListener('dblclick', (event) => {
  const row = event.target.closest?.('.row');
  const cell = event.target.closest('.row > *')?.classList[0];
  if (row && !event.target.closest('a, input')) editRow(row, fields[cell]);
});
