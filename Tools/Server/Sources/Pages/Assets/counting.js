// Updates remainders while the user types or ticks rows.
import { $, all } from './basics.js';

// The amount that is left for further parts of a split.
const parts = () => $('.parts:has(output)');
export function sum(typed, mark) {
  const text = typed.replaceAll(mark === ',' ? '.' : ',', '').replaceAll(mark, '.').replaceAll(' ', '');
  return (text.match(/[+-]?[^+-]+/g) ?? []).reduce((all, part) => all + Number(part), 0);
}
function countParts() {
  const form = parts()?.closest('form');
  if (!form) return;
  const output = $('output', form);
  // A refund's parts count as those of income, as long as its type is not changed.
  const type = $('[name=type]', form);
  const isTurned = type && !$('option:checked', type).defaultSelected;
  const isIncome = ['income', 'refund'].includes(isTurned ? type.value : form.dataset.type);
  let rest = sum($('[name=amount]', form).value, output.dataset.mark);
  for (const part of all('.part', form)) {
    const isOther = ($('option:checked', part).dataset.kind === 'income') !== isIncome && $('select', part).value;
    rest -= sum($('input', part).value, output.dataset.mark) * (isOther ? -1 : 1);
  }
  output.textContent = Number.isFinite(rest) ? rest.toFixed(2).replace('.', output.dataset.mark) : '–';
}
document.addEventListener('input', ({ target }) => {
  if (parts()?.closest('form')?.contains(target)) countParts();
});
// The user may have typed before this script was loaded.
if (all('input', parts()?.closest('form')).some((input) => input.value !== input.defaultValue)) countParts();
// The difference between a statement and the ticked rows. It can be recorded once the difference is zero.
function countTicked(form) {
  const facts = $('.counted', form);
  const { locked, currency, digits, mark } = facts.dataset;
  const ticked = all('[name=row]:checked', form);
  const balance = ticked.reduce((total, box) => total + Number(box.dataset.units), Number(locked));
  const typed = $('[name=statement]', form).value.trim();
  const missing = typed ? Math.round(sum(typed, mark) * 10 ** digits) - balance : NaN;
  let style;
  try { style = new Intl.NumberFormat(navigator.language, { style: 'currency', currency }); } catch {}
  const show = (figure, units) => {
    const value = units / 10 ** digits;
    figure.textContent = Number.isNaN(value) ? '–' : style?.format(value) ?? `${value.toFixed(digits)} ${currency}`;
    figure.classList.toggle('below', units < 0);
  };
  const [held, left] = all('.figure', facts);
  show(held, balance);
  show(left, missing);
  $('[value=record]', form).hidden = missing !== 0;
  $('details', form).hidden = !missing;
}
document.addEventListener('input', ({ target }) => {
  const form = $('.counted')?.closest('form');
  if (form?.contains(target)) countTicked(form);
});
// Ticks a row and all older ones. If older rows aren't listed, the server does it.
document.addEventListener('click', (event) => {
  const button = event.target.closest?.('[name=upto]');
  if (!button || $('.older', button.form)) return;
  event.preventDefault();
  const boxes = all('[name=row]', button.form);
  const from = boxes.findIndex((box) => box.value === button.value);
  boxes.forEach((box, index) => { box.checked = index >= from; });
  countTicked(button.form);
});
