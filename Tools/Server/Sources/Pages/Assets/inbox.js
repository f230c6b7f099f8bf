// a accepts the chosen category of the focused row of the inbox, and moves on to the next row.
import { $, all } from './basics.js';
import { away, refresh } from './news.js';

export async function accept(row) {
  const [button, choice] = [$('[name=accept]', row), $('select', row)];
  if (!choice.value) { choice.focus(); return; }
  const place = all('.row').indexOf(row);
  const fields = new FormData(button.form);
  fields.set('accept', button.value);
  const sent = await fetch(button.form.action, { method: 'POST', credentials: 'same-origin', body: new URLSearchParams(fields) })
    .catch(() => null);
  if (!sent) { away(true); return; }
  // A refused choice is sent again as a form, so that the page shows the reason.
  if (!sent.ok) { button.click(); return; }
  const chosen = all('.inbox select').map((one) => [one.id, one.value]);
  await refresh();
  for (const [id, value] of chosen) {
    const one = document.getElementById(id);
    if (one) one.value = value;
  }
  const rows = all('.row');
  const next = rows[Math.min(place, rows.length - 1)];
  next?.classList.add('at');
  $('.what', next ?? document.body)?.focus({ preventScroll: true });
}
