import type { AnswerError, Answers, ResolvedField } from '#fields';
import { attributes, type Content, type Html, html } from '../../../../platform/http/html.ts';
import type { PublicTexts } from '../words/index.ts';

/** A record that a `registry` field offers, in the words in which people choose it. */
export type OfferedRecord = { id: string; label: string };

/** An error in an answer, as the page shows it beside the field. */
export type FieldErrorText = Pick<AnswerError, 'name' | 'reason'>;

/** What a page needs to show the fields of a form in progress. */
export type FieldContext = {
  words: PublicTexts;
  /** The language of the form's own texts, and of what is written as numbers and names. */
  locale: string;
  values: Answers;
  visible: ReadonlySet<string>;
  errors: readonly FieldErrorText[];
  /** Names of uploads, by their id. */
  fileNames: ReadonlyMap<string, string>;
  /** What registry fields offer, by the id of the field. */
  records: ReadonlyMap<string, readonly OfferedRecord[]>;
  /** Of which registry fields the list was searched. */
  searched: ReadonlySet<string>;
  uploads: { maxSizeMb: number; accept: readonly string[] };
};

/** The id of a field's first control: what its label, and the list of faults, lead to. */
export const controlId = (field: { id: string }) => `f-${field.id}`;

/** The ids of what is said of a field beside its label: its help, and its fault. */
export function describedBy(field: ResolvedField): string {
  const id = controlId(field);
  return field.help === undefined ? `${id}-fault` : `${id}-help ${id}-fault`;
}

export function errorOf(field: ResolvedField, { errors }: FieldContext): FieldErrorText | undefined {
  return errors.find(({ name }) => name === field.id);
}

/** What every control of a field says of it. */
export function stateOf(field: ResolvedField, context: FieldContext) {
  return {
    'aria-describedby': describedBy(field),
    'aria-invalid': errorOf(field, context) ? 'true' : undefined,
    'aria-required': field.required ? 'true' : undefined,
  };
}

/** A field with one control, which its label names. */
export function single(field: ResolvedField, context: FieldContext, control: Content): Html {
  return wrapped(
    field,
    context,
    html`<label class="question" for="${controlId(field)}">${field.label ?? ''}${optionalMark(field, context)}</label>
      ${said(field, context)}${control}`,
  );
}

/** A field with several controls, named by their legend. */
export function group(field: ResolvedField, context: FieldContext, controls: Content, role?: 'radiogroup'): Html {
  const state = stateOf(field, context);
  const own = { role, 'aria-describedby': state['aria-describedby'], ...(role ? state : {}) };
  return wrapped(
    field,
    context,
    html`<fieldset ${attributes(own)}>
      <legend class="question">${field.label ?? ''}${optionalMark(field, context)}</legend>
      ${said(field, context)}${controls}
    </fieldset>`,
  );
}

/** What is said of a field between its label and its controls. */
export function said(field: ResolvedField, context: FieldContext): Html {
  const id = controlId(field);
  const error = errorOf(field, context);
  return html`${field.help === undefined ? '' : html`<p class="help" id="${id}-help">${field.help}</p>`}
    <p class="fault" id="${id}-fault" ${attributes({ hidden: !error })}>
      ${error && html`<span class="apart">${context.words.problem}: </span>${error.reason}`}
    </p>`;
}

export function wrapped(field: ResolvedField, context: FieldContext, content: Content): Html {
  const wrong = errorOf(field, context) !== undefined;
  return html`<div class="field${wrong ? ' wrong' : ''}" data-field="${field.id}" ${attributes({ hidden: !context.visible.has(field.id) })}>
    ${content}
  </div>`;
}

function optionalMark({ required }: ResolvedField, { words }: FieldContext): Content {
  return required ? '' : html` <span class="optional">(${words.optional})</span>`;
}

/** The answer of a field as text, where it is a text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The answer of a field as a list of what was chosen. */
export const chosenOf = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).filter((one) => typeof one === 'string' && one !== '') as string[];

/** A member of an answer that has several. */
export function partOf(value: unknown, name: string): string {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return '';
  return textOf((value as Record<string, unknown>)[name]);
}
