import { type FieldType, localAmount, type ResolvedField } from '#fields';
import { attributes, type Html, html } from '../../../../platform/http/html.ts';
import { optionList } from './choices.ts';
import { type FieldContext, controlId, group, partOf, single, stateOf, textOf } from './question.ts';

/** The attributes of single-line inputs by field type, for on-screen keyboards and autofill. */
const lines: Partial<Record<FieldType, Record<string, string>>> = {
  text: { type: 'text' },
  email: { type: 'email', dir: 'ltr', autocomplete: 'email', autocapitalize: 'off', spellcheck: 'false' },
  phone: { type: 'tel', dir: 'ltr', autocomplete: 'tel' },
  url: { type: 'url', dir: 'ltr', autocomplete: 'url', autocapitalize: 'off', spellcheck: 'false' },
  // Text inputs, because a number input hides invalid input and does not accept a decimal comma.
  number: { type: 'text', inputmode: 'decimal', autocomplete: 'off' },
  integer: { type: 'text', inputmode: 'numeric', autocomplete: 'off' },
  date: { type: 'date' },
  time: { type: 'time' },
  datetime: { type: 'datetime-local' },
};

const short = new Set<FieldType>(['number', 'integer', 'phone']);

/** A single-line input. */
export function line(field: ResolvedField, context: FieldContext): Html {
  const value = lineValue(field, context);
  const bounds =
    field.type === 'date' || field.type === 'time' ? { min: textOf(field.validation?.min), max: textOf(field.validation?.max) } : {};
  const own = attributes({
    ...lines[field.type],
    ...nonEmpty(bounds),
    id: controlId(field),
    name: field.id,
    value,
    placeholder: field.placeholder,
    ...stateOf(field, context),
  });
  return single(field, context, html`<input class="input${short.has(field.type) ? ' short' : ''}" ${own} />${counter(field)}`);
}

function lineValue({ id, type }: ResolvedField, { values, locale }: FieldContext): string {
  const value = values[id];
  if (typeof value === 'number') return localNumber(value, locale);
  return type === 'datetime' ? textOf(value).slice(0, 16) : textOf(value);
}

const nonEmpty = (values: Record<string, string>) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** Formats a number for the locale, with Latin digits. */
function localNumber(value: number, locale: string): string {
  const format = { useGrouping: false, maximumFractionDigits: 20, numberingSystem: 'latn' } as const;
  try {
    return new Intl.NumberFormat(locale, format).format(value);
  } catch {
    return String(value);
  }
}

/** A multi-line input that grows with its text. */
export function paragraph(field: ResolvedField, context: FieldContext): Html {
  const own = attributes({ id: controlId(field), name: field.id, rows: 5, placeholder: field.placeholder, ...stateOf(field, context) });
  return single(field, context, html`<textarea ${own}>${textOf(context.values[field.id])}</textarea>${counter(field)}`);
}

/** The place where the script shows the remaining number of characters. */
function counter({ id, validation, type }: ResolvedField): Html | '' {
  const most = validation?.maxLength;
  return most === undefined || (type !== 'text' && type !== 'textarea')
    ? ''
    : html`<p class="count" data-count="${most}" data-of="f-${id}" hidden></p>`;
}

/** An amount with its currency: a list, or the only currency. */
export function money(field: ResolvedField, context: FieldContext): Html {
  const { words, locale, values } = context;
  const id = controlId(field);
  const value = values[field.id];
  const currencies = field.options ?? allCurrencies(locale);
  const [only] = currencies;
  // A screen reader can reach a control without its group, so each name has the question.
  const nameOf = (part: string) => (field.label === undefined || field.label === part ? part : `${field.label}: ${part}`);
  const amount = html`<input
    class="input"
    inputmode="decimal"
    autocomplete="off"
    name="${field.id}.amount"
    ${attributes({ id, value: localAmount(partOf(value, 'amount'), locale), placeholder: field.placeholder, 'aria-label': nameOf(words.amount), ...stateOf(field, context) })}
  />`;
  if (currencies.length === 1 && only) {
    const unit = html`<input type="hidden" name="${field.id}.currency" value="${only.id}" /><span>${only.id}</span>`;
    return group(field, context, html`<div class="unit">${amount}${unit}</div>`);
  }
  return group(
    field,
    context,
    html`<div class="parts">
      <div>${amount}</div>
      <span class="drop-down"
        ><select name="${field.id}.currency" aria-label="${nameOf(words.currency)}" autocomplete="transaction-currency">
          <option value="">${words.currency}</option>
          ${optionList(currencies, partOf(value, 'currency'))}
        </select></span
      >
    </div>`,
  );
}

const currencyLists = new Map<string, { id: string; label: string }[]>();

function allCurrencies(locale: string): readonly { id: string; label: string }[] {
  return named(
    currencyLists,
    locale,
    'currency',
    () => Intl.supportedValuesOf('currency'),
    (id, name) => `${id} – ${name}`,
  );
}

/** Returns codes with their names in a locale. Results are cached for at most 50 locales, because visitors choose the locale. */
export function named(
  kept: Map<string, { id: string; label: string }[]>,
  locale: string,
  type: 'currency' | 'region',
  codes: () => Iterable<string>,
  label: (id: string, name: string) => string = (_, name) => name,
): readonly { id: string; label: string }[] {
  const found = kept.get(locale);
  if (found) return found;
  const names = namesIn(locale, type);
  const made = Array.from(codes(), (id) => ({ id, label: label(id, names.of(id) ?? id) }));
  if (type === 'region') made.sort((a, b) => a.label.localeCompare(b.label, locale));
  if (kept.size < 50) kept.set(locale, made);
  return made;
}

function namesIn(locale: string, type: 'currency' | 'region'): Intl.DisplayNames {
  try {
    return new Intl.DisplayNames(locale, { type });
  } catch {
    return new Intl.DisplayNames('en', { type });
  }
}
