// The table of envelopes: assigning in its cells, and moving money by drag.
import { $, all, isTyping, read } from './basics.js';
import { sum } from './counting.js';
import { showList } from './list.js';
import { away, during } from './news.js';

const table = (page = document) => $('.envelopes[data-edit]', page);
const id = (cell) => cell.parentElement.dataset.id ?? '';
// Cells that span the columns of a month count months, the others columns.
const place = (cell) => cell.colSpan === 3 ? cell.cellIndex - 1 : Math.floor((cell.cellIndex - 1) / 3);
const month = (cell) => cell.closest('table').dataset.months.split(' ')[place(cell)];
const same = (cell, page) => {
  const row = all('tr[data-id]', table(page)).find((row) => row.dataset.id === id(cell));
  return row && [...row.cells].find((one) => one.matches('.as') && month(one) === month(cell));
};
const typed = (link, { mark }) => {
  const text = link.firstChild.textContent.replaceAll('−', '-');
  return [...text].filter((one) => /[\d-]/.test(one) || one === mark).join('');
};

// The next cell with an assigned amount: below or above, or in another month.
function beside(cell, down, right) {
  const column = (row) => row.cells[cell.cellIndex + 3 * right];
  let row = cell.parentElement;
  if (down) {
    const rows = all('tr[data-id]', table());
    row = rows[rows.indexOf(row) + down];
  }
  const next = row && column(row);
  return next?.matches('.as') && next.checkVisibility() ? next : null;
}
const focus = (cell) => $('a', cell)?.focus();
export function assignFirst() {
  const cell = table() && $('.as:not(.far)', table());
  if (cell) focus(cell);
  return cell;
}

// Fields that a script removes or leaves send nothing.
let isQuiet = false;
function quietly(act) {
  isQuiet = true;
  try { act(); } finally { isQuiet = false; }
}
function close(cell) {
  quietly(() => { for (const one of all('input, output, .fault', cell)) one.remove(); });
  const link = $('a', cell);
  if (link) link.hidden = false;
}
function open(cell, text) {
  if ($('input', cell)) { $('input', cell).focus(); return; }
  const link = $('a', cell);
  const input = document.createElement('input');
  const column = $(`thead tr:last-child > :nth-child(${cell.cellIndex + 1})`, table());
  const head = $(`thead tr:first-child > :nth-child(${place(cell) + 2})`, table());
  input.setAttribute('aria-label',
    `${$('th a', cell.parentElement).firstChild.textContent.trim()}, ${head.textContent}: ${column.textContent}`);
  input.inputMode = 'decimal';
  input.defaultValue = typed(link, table().dataset);
  input.value = text ?? input.defaultValue;
  link.hidden = true;
  cell.prepend(input, document.createElement('output'));
  input.focus();
  if (text === undefined) input.select();
}
// Sends the amount if it is another one, and closes the field.
function leave(input) {
  const cell = input.closest('td');
  const { value, defaultValue } = input;
  close(cell);
  if (value.trim() !== defaultValue) save(cell, value);
}

// Amounts are sent one after the other, while the next one is typed.
let queue = Promise.resolve();
function save(cell, amount) {
  cell.classList.add('saving');
  $('a', cell).textContent = amount || '0';
  const fields = { id: id(cell), month: month(cell), amount, back: location.pathname + location.search };
  queue = queue.then(() => during(async () => {
    const answer = await fetch('/envelopes/assign', { method: 'POST', credentials: 'same-origin',
      body: new URLSearchParams(fields) }).catch(() => null);
    if (!answer) away(true);
    const page = answer && await read(answer);
    if (answer?.ok && table(page)) show(page);
    else refuse(same(cell, document), amount, page && ($('main .fault', page) ?? $('main .problem', page))?.textContent);
  }));
}
function refuse(cell, amount, reason) {
  if (!cell) return;
  const other = document.activeElement;
  cell.classList.remove('saving');
  quietly(() => { open(cell, amount); if (isTyping(other)) other.focus(); });
  $('input', cell).setAttribute('aria-invalid', 'true');
  if (reason) {
    const fault = document.createElement('span');
    fault.className = 'fault';
    fault.setAttribute('role', 'alert');
    fault.textContent = reason;
    cell.append(fault);
  }
}
// Shows the table with the new figures; fields that are open stay so.
function show(page) {
  const focused = document.activeElement;
  const cell = focused.closest?.('.envelopes td');
  const range = focused.matches('input') && [focused.selectionStart, focused.selectionEnd];
  quietly(() => {
    for (const input of all('.as input', table())) {
      const kept = input.closest('td');
      const next = same(kept, page);
      if (!next) continue;
      $('a', kept).replaceWith($('a', next));
      $('a', kept).hidden = true;
      next.replaceWith(kept);
    }
    showList(page);
  });
  if (!cell) return;
  if (range) { focused.focus(); focused.setSelectionRange(...range); }
  else focus(same(cell, document) ?? cell);
}

document.addEventListener('keydown', (event) => {
  const cell = table() && event.target.closest?.('.as');
  if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
  const input = event.target.matches('input') && event.target;
  const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], Enter: [event.shiftKey ? -1 : 1, 0], Tab: [0, event.shiftKey ? -1 : 1],
    ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key];
  if (input) {
    if (event.key === 'Escape') { close(cell); focus(cell); }
    else if (!step || event.key === 'ArrowRight' || event.key === 'ArrowLeft') return;
    else {
      const next = beside(cell, ...step);
      leave(input);
      if (next) open(next); else if (event.key === 'Tab') return; else focus(cell);
    }
  } else if (event.target.parentElement !== cell) return;
  else if (event.key === 'Enter') open(cell);
  else if (event.key === 'Delete' || event.key === 'Backspace') open(cell, '');
  else if (/^[\d.,+-]$/.test(event.key)) open(cell, event.key);
  else if (step && event.key !== 'Tab') focus(beside(cell, ...step) ?? cell);
  else return;
  event.preventDefault();
  event.stopPropagation();
}, true);
document.addEventListener('focusout', ({ target, relatedTarget }) => {
  // A window that loses the focus keeps its field.
  if (isQuiet || !target.matches?.('.as input') || !target.isConnected || !document.hasFocus()) return;
  if (!target.hasAttribute('aria-invalid') && !target.closest('td').contains(relatedTarget)) leave(target);
});
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('.envelopes[data-edit] .as > a');
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) { event.preventDefault(); open(link.closest('td')); return; }
  // Money is moved from the envelope in whose row the focus is.
  const row = event.target.closest?.('[data-key=m]') && document.activeElement.closest?.('.envelopes td');
  if (row && id(row)) {
    const address = new URL(event.target.href);
    address.searchParams.set('month', month(row));
    if (row.parentElement.querySelector('.av')) address.searchParams.set('from', id(row));
    event.target.href = address;
  }
}, true);
// The value of a sum is shown while it is typed.
document.addEventListener('input', ({ target }) => {
  if (!target.matches?.('.as input')) return;
  target.removeAttribute('aria-invalid');
  target.closest('td').querySelector('.fault')?.remove();
  const { mark, digits } = table().dataset;
  const value = sum(target.value, mark);
  const isSum = /.[+-]/.test(target.value.trim()) && Number.isFinite(value);
  target.nextElementSibling.textContent = isSum ? `= ${value.toFixed(digits).replace('.', mark)}` : '';
});

// What is available can be dragged to another envelope of the month; the form then asks for the amount.
let dragged = null;
const source = ({ target }) => table() && target.closest?.('.av, .ready');
document.addEventListener('dragstart', (event) => {
  dragged = source(event);
  if (dragged) event.dataTransfer.effectAllowed = 'move';
});
const taking = (event) => {
  const cell = dragged && source(event);
  return cell && cell !== dragged && month(cell) === month(dragged) ? cell : null;
};
for (const kind of ['dragenter', 'dragover', 'dragleave', 'drop', 'dragend']) {
  document.addEventListener(kind, (event) => {
    const cell = taking(event);
    cell?.classList.toggle('over-cell', kind === 'dragenter' || kind === 'dragover');
    if (cell && kind !== 'dragleave') event.preventDefault();
    if (cell && kind === 'drop') {
      location.href = `/envelopes/move?${new URLSearchParams({ from: id(dragged), to: id(cell), month: month(cell) })}`;
    }
    if (kind === 'dragend' || kind === 'drop') dragged = null;
  });
}
