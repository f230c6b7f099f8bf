// The row for adding a transaction: completion, what is filled in for a payee, parts of a split, and sending.
import { $, all, read } from './basics.js';
import { sum } from './counting.js';
import { complete } from './complete.js';
import { showList } from './list.js';
import { away, during } from './news.js';

// The row's buttons are hidden once the focus leaves it. Until a click elsewhere is done, they stay, so that the rows
// below don't move away from the pointer.
document.addEventListener('pointerdown', ({ target }) => {
  const form = $('.entry:focus-within');
  if (!form || form.contains(target)) return;
  form.classList.add('held');
  const release = () => setTimeout(() => form.classList.remove('held'));
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, release, { once: true });
}, true);

const field = (form, name) => form.elements.namedItem(name);
export function focusEntry() {
  const form = $('.entry');
  if (!form) return false;
  form.scrollIntoView({ block: 'nearest' });
  field(form, 'payee').focus();
  return true;
}

// Suggested values are replaced when another payee is chosen; typed text is not.
function fill(input, value) {
  if (!input || input.value && !('filled' in input.dataset)) return;
  input.value = value ?? '';
  if (value) input.dataset.filled = ''; else delete input.dataset.filled;
}
document.addEventListener('input', ({ target }) => { if (target.dataset) delete target.dataset.filled; });

const categories = (form) => all('#q-categories option', form);
const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
// Categories whose path, or whose own name, contains the text; those that begin with it come first.
function matching(form, text) {
  const wanted = fold(text);
  const names = categories(form).map((option) => option.value);
  const own = (name) => fold(name.split(' › ').at(-1));
  const starts = names.filter((name) => fold(name).startsWith(wanted) || own(name).startsWith(wanted));
  return [...starts, ...names.filter((name) => !starts.includes(name) && fold(name).includes(wanted))]
    .slice(0, 8).map((text) => ({ text }));
}
async function payees(form, text) {
  const account = field(form, 'account')?.value ?? '';
  const query = new URLSearchParams({ prefix: text, account });
  const answer = await fetch(`/transactions/payees?${query}`, { credentials: 'same-origin' }).catch(() => null);
  return answer?.ok ? (await answer.json()).payees.map((one) => ({ text: one.payee, ...one })) : [];
}
function choosePayee(form, chosen) {
  const isTransfer = all('#q-transfers option', form).some((option) => option.value === chosen.text);
  fill(field(form, 'category'), isTransfer ? '' : chosen.category);
  if (isTransfer) return;
  fill(field(form, 'amount'), chosen.amount);
  const account = $('select[name=account]', form);
  if (account && chosen.account && !('typed' in account.dataset)) account.value = chosen.account;
}
document.addEventListener('change', ({ target }) => {
  if (target.matches?.('.entry select')) target.dataset.typed = '';
});

function setUp(input) {
  const form = input.form;
  if (input.name === 'payee') {
    complete(input, (text) => payees(form, text), { isFree: true, choose: (one) => choosePayee(form, one) });
  } else {
    const transfers = () => all('#q-transfers option', form).map((option) => ({ text: option.value }));
    complete(input, (text) => {
      const others = input.name === 'category' ? [] : transfers().filter((one) => fold(one.text).includes(fold(text)));
      return [...matching(form, text), ...text ? others : []];
    });
  }
}
document.addEventListener('focusin', ({ target }) => {
  if (!target.matches?.('.entry :is([name=payee], [name=category], [name=part-category])')) return;
  if (!target.hasAttribute('aria-expanded')) setUp(target);
});
document.addEventListener('focusin', ({ target }) => {
  if (!target.matches?.('.entry :is([name=amount], [name=part-amount])')) return;
  // An empty part takes what is left.
  const rest = target.name === 'part-amount' && !target.value && left(target.form);
  if (rest) fill(target, rest);
  target.select();
  count(target.form);
});

// + and - change the date by a day, and t is today.
document.addEventListener('keydown', (event) => {
  const input = event.target;
  if (!input.matches?.('.entry [type=date]') || !'+-t'.includes(event.key)) return;
  event.preventDefault();
  if (event.key === 't') input.value = input.defaultValue;
  else if (event.key === '+') input.stepUp(); else input.stepDown();
});

// Parts of a split.
const lines = (form) => all('.part-line', form);
// Amounts in thousandths, so that currencies with up to three decimals are exact.
const units = (form, text) => Math.round(sum(text, form.dataset.mark) * 1000);
function rest(form) {
  const isIncome = (name) => categories(form).find((option) => option.value === name)?.dataset.kind === 'income';
  const used = lines(form).filter((line) => $('[name=part-amount]', line).value);
  const typed = field(form, 'amount').value;
  const names = used.map((line) => $('[name=part-category]', line).value);
  const isInflow = typed.startsWith('+') || names.length > 0 && names.every(isIncome);
  return used.reduce((left, line) => {
    const name = $('[name=part-category]', line).value;
    const isOther = name && isIncome(name) !== isInflow;
    return left - units(form, $('[name=part-amount]', line).value) * (isOther ? -1 : 1);
  }, Math.abs(units(form, typed)));
}
const shown = (form, value) => (value / 1000).toFixed(3).replace(/0$/, '').replace(/\.00$/, '').replace('.', form.dataset.mark);
const left = (form) => { const value = rest(form); return value > 0 ? shown(form, value) : ''; };
function count(form) {
  if (!lines(form).length) return;
  const value = rest(form);
  $('.rest', form).hidden = false;
  $('.rest output', form).textContent = Number.isFinite(value) ? shown(form, value) : '–';
  // A further line follows as long as something is left.
  const last = lines(form).at(-1);
  if (value > 0 && $('[name=part-amount]', last).value) addLine(form);
}
function addLine(form) {
  $('.lines', form).append($('.split template', form).content.cloneNode(true));
}
document.addEventListener('input', ({ target }) => {
  if (target.form?.matches('.entry') && target.name?.includes('amount')) count(target.form);
});
document.addEventListener('click', (event) => {
  const button = event.target.closest?.('.entry [value=part]');
  if (!button) return;
  event.preventDefault();
  const form = button.form;
  fill(field(form, 'category'), '');
  if (field(form, 'category').value) {
    addLine(form);
    $('[name=part-category]', form).value = field(form, 'category').value;
    field(form, 'category').value = '';
  } else addLine(form);
  count(form);
  $('[name=part-category]', lines(form).at(-1)).focus();
});

// Ctrl-Enter divides the row, like its button.
document.addEventListener('keydown', (event) => {
  const form = event.target.closest?.('.entry');
  if (!form || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  $('[value=part]', form).click();
});

// Sends the row; the list is shown again, and the date and the account stay for the next transaction.
document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!form.matches('.entry') || event.submitter?.value === 'more') return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if ('sending' in form.dataset) return;
  // The last part takes what is left.
  const last = lines(form).at(-1);
  if (last && $('[name=part-category]', last).value) fill($('[name=part-amount]', last), left(form));
  form.dataset.sending = '';
  await during(async () => {
    const answer = await fetch(form.action, { method: 'POST', credentials: 'same-origin',
      body: new URLSearchParams(new FormData(form)) }).catch(() => null);
    delete form.dataset.sending;
    if (!answer) { away(true); return; }
    const page = await read(answer);
    const next = $('.entry', page);
    if (!next) { document.documentElement.replaceWith(page.documentElement); return; }
    if (!answer.ok) {
      form.replaceWith(next);
      count(next);
      ($('[aria-invalid]', next) ?? field(next, 'payee')).focus();
      return;
    }
    const before = new Set(all('.row').map((row) => row.dataset.number));
    showList(page, { keepsEntry: false });
    for (const row of all('.row')) row.classList.toggle('new', !before.has(row.dataset.number));
    field($('.entry'), 'payee').focus();
  });
}, true);
document.addEventListener('keydown', (event) => {
  const form = event.target.closest?.('.entry');
  if (!form || event.key !== 'Escape' || event.defaultPrevented) return;
  form.reset();
  $('.lines', form).replaceChildren();
  $('.rest', form).hidden = true;
  event.target.blur();
});
