import { answerText, isList, type ResolvedField } from '#fields';
import { attributes, type Content, type Html, html } from '../../../../platform/http/html.ts';
import { type FieldContext, chosenOf, controlId, group, said, single, stateOf, textOf, wrapped } from './question.ts';

type Offered = { id: string; label: string };

/** Lists with more options scroll and have a filter. */
const longList = 12;

/** Yes and no, side by side. */
export function yesOrNo(field: ResolvedField, context: FieldContext): Html {
  const value = context.values[field.id];
  const options = [true, false].map((one) => ({ id: String(one), label: answerText({ type: 'boolean' }, one, context.locale) }));
  const chosen = typeof value === 'boolean' ? [String(value)] : [];
  return group(field, context, html`<div class="pair">${rows(field, 'radio', options, chosen)}</div>`, 'radiogroup');
}

/** A list of choices, one of which can be selected. */
export function oneOf(field: ResolvedField, context: FieldContext): Html {
  return group(field, context, list(field, context, 'radio', field.options ?? [], chosenOf(context.values[field.id])), 'radiogroup');
}

export function someOf(field: ResolvedField, context: FieldContext): Html {
  return group(field, context, list(field, context, 'checkbox', field.options ?? [], chosenOf(context.values[field.id])));
}

/** A checkbox with its label beside it. */
export function box(field: ResolvedField, context: FieldContext): Html {
  const { 'aria-required': _, ...state } = stateOf(field, context);
  const control = attributes({ id: controlId(field), ...state, checked: context.values[field.id] === true, required: field.required });
  const optional = field.required || field.type === 'checkbox' ? '' : html` <span class="optional">(${context.words.optional})</span>`;
  return wrapped(
    field,
    context,
    html`${said(field, context)}
      <label class="choice">
        <input type="checkbox" name="${field.id}" value="true" ${control} />
        <span class="text">${field.label ?? ''}${optional}</span>
      </label>`,
  );
}

export function dropDown(field: ResolvedField, context: FieldContext, options: readonly Offered[], autocomplete?: string): Html {
  return single(field, context, selectOf(field, context, options, autocomplete));
}

/** A select element with an empty first option. */
export function selectOf(field: ResolvedField, context: FieldContext, options: readonly Offered[], autocomplete?: string): Html {
  const value = textOf(context.values[field.id]);
  const own = attributes({ id: controlId(field), autocomplete, ...stateOf(field, context) });
  return html`<span class="drop-down">
    <select name="${field.id}" ${own}>
      <option value="">${field.placeholder ?? context.words.choose}</option>
      ${optionList(options, value)}
    </select>
  </span>`;
}

export function optionList(options: readonly Offered[], value: string): Content {
  return options.map(({ id, label }) => html`<option value="${id}" ${attributes({ selected: id === value })}>${label}</option>`);
}

/** Records of a registry: one from a list, or several checkboxes. Without scripts the list has a search button. */
export function records(field: ResolvedField, context: FieldContext): Html {
  const { words } = context;
  const offered = context.records.get(field.id) ?? [];
  const id = controlId(field);
  const search = html`<div class="suggest" data-records="${field.id}">
    <div class="parts">
      <input
        class="input"
        type="search"
        name="_search.${field.id}"
        id="${id}-search"
        aria-label="${words.record.search}: ${field.label ?? ''}"
      />
      <button class="button second" name="_go" value="search" formnovalidate>${words.record.search}</button>
    </div>
  </div>`;
  const chosen = chosenOf(context.values[field.id]);
  if (isList(field)) return group(field, context, html`${search}${list(field, context, 'checkbox', offered, chosen)}`);
  return single(
    field,
    context,
    html`${selectOf(field, context, offered)}${offered.length >= maxOffered || context.searched.has(field.id) ? search : ''}`,
  );
}

/** Maximum records in a list. */
export const maxOffered = 50;

function list(
  field: ResolvedField,
  { words }: FieldContext,
  type: 'radio' | 'checkbox',
  options: readonly Offered[],
  chosen: readonly string[],
): Html {
  const long = options.length > longList;
  return html`<div class="choices${long ? ' long' : ''}" ${attributes({ 'data-filter': long && words.filter })}>
    ${rows(field, type, options, chosen)}
  </div>`;
}

function rows(field: ResolvedField, type: 'radio' | 'checkbox', options: readonly Offered[], chosen: readonly string[]): Content {
  const picked = new Set(chosen);
  const id = controlId(field);
  return options.map((option, place) => {
    const own = attributes({ id: place === 0 ? id : `${id}-${place}`, checked: picked.has(option.id) });
    return html`<label class="choice"
      ><input type="${type}" name="${field.id}" value="${option.id}" ${own} /><span class="text">${option.label}</span></label
    >`;
  });
}
