// Navigating, selecting and editing the rows of a list.
import { $, all, read } from './basics.js';
import { away, refresh } from './news.js';

// j and k move to the next and the previous row.
export function walk(step) {
  const rows = all('.row');
  if (!rows.length) return;
  const at = rows.findIndex((row) => row.classList.contains('at'));
  const next = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + step))];
  rows[at]?.classList.remove('at');
  next.classList.add('at');
  next.scrollIntoView({ block: 'nearest' });
  $('.what', next).focus({ preventScroll: true });
}

// x or a click on the checkbox selects a row; Shift-click selects a range.
let lastBox = null;
export function tell() {
  const count = $('.selected-count');
  if (count) count.textContent = all('.row > :checked').length;
}
document.addEventListener('click', (event) => {
  const box = event.target.closest?.('.row > input');
  if (!box) return;
  if (event.shiftKey && lastBox) {
    const boxes = all('.row > input');
    const [from, to] = [boxes.indexOf(lastBox), boxes.indexOf(box)].sort((a, b) => a - b);
    if (from >= 0) boxes.slice(from, to + 1).forEach((one) => { one.checked = box.checked; });
  }
  lastBox = box;
  tell();
});
export function toggleRow() {
  const row = $('.row.at');
  const box = row && $('input[name=row]', row);
  if (box) { box.checked = !box.checked; lastBox = box; tell(); }
}
tell();

// Edits a row in the list, with the form of its page reduced to the most important fields.
const shown = ['day', 'payee', 'category', 'amount'];
function showForm(row, page) {
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
  ($('[aria-invalid]', form) ?? $('#row-f-payee', form)).focus();
  return true;
}
export async function editRow(row) {
  if (!row || row.classList.contains('editing') || !$('.row > input')) return;
  const link = $('.what', row).href;
  const answer = await fetch(`${new URL(link).pathname}/edit`, { credentials: 'same-origin' }).catch(() => null);
  if (!answer?.ok) { location.href = link; return; }
  const before = [...row.childNodes];
  if (!showForm(row, await read(answer))) { location.href = link; return; }
  row.classList.add('editing');
  const close = () => {
    row.classList.remove('editing');
    row.replaceChildren(...before);
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
    await refresh();
    const again = $(`[data-number="${row.dataset.number}"]`);
    again?.classList.add('at');
    $('.what', again ?? document.body)?.focus({ preventScroll: true });
  };
}
document.addEventListener('dblclick', (event) => {
  const row = event.target.closest?.('.row');
  if (row && !event.target.closest('a, input')) editRow(row);
});
