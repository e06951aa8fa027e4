import type { AnswerError, Answers, ResolvedField } from '#fields';
import { attributes, type Content, type Html, html } from '../../../../platform/http/html.ts';
import type { PublicTexts } from '../words/index.ts';

/** A record as a choice of a `registry` field. */
export type OfferedRecord = { id: string; label: string };

/** An error beside a field. */
export type FieldErrorText = Pick<AnswerError, 'name' | 'reason'>;

/** The data to show the fields of a form in progress. */
export type FieldContext = {
  words: PublicTexts;
  /** The language of the texts, numbers and names. */
  locale: string;
  values: Answers;
  visible: ReadonlySet<string>;
  errors: readonly FieldErrorText[];
  /** Names of uploads, by their id. */
  fileNames: ReadonlyMap<string, string>;
  /** The choices of registry fields, by field id. */
  records: ReadonlyMap<string, readonly OfferedRecord[]>;
  /** The ids of registry fields with a search. */
  searched: ReadonlySet<string>;
  uploads: { maxSizeMb: number; accept: readonly string[] };
};

/** Returns the id of the first control of a field. Its label and the list of errors link to it. */
export const controlId = (field: { id: string }) => `f-${field.id}`;

/** Returns the ids of the help and the error of a field, for `aria-describedby`. */
export function describedBy(field: ResolvedField): string {
  const id = controlId(field);
  return field.help === undefined ? `${id}-fault` : `${id}-help ${id}-fault`;
}

export function errorOf(field: ResolvedField, { errors }: FieldContext): FieldErrorText | undefined {
  return errors.find(({ name }) => name === field.id);
}

/** Returns the ARIA attributes of the controls of a field. */
export function stateOf(field: ResolvedField, context: FieldContext) {
  return {
    'aria-describedby': describedBy(field),
    'aria-invalid': errorOf(field, context) ? 'true' : undefined,
    'aria-required': field.required ? 'true' : undefined,
  };
}

/** A field with one control and a label. */
export function single(field: ResolvedField, context: FieldContext, control: Content): Html {
  return wrapped(
    field,
    context,
    html`<label class="question" for="${controlId(field)}">${field.label ?? ''}${optionalMark(field, context)}</label>
      ${said(field, context)}${control}`,
  );
}

/** A field with several controls and a legend. */
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

/** The help and the error of a field, between its label and its controls. */
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

/** Returns an answer if it is a text, otherwise an empty text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns an answer as a list of choices. */
export const chosenOf = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).filter((one) => typeof one === 'string' && one !== '') as string[];

/** Returns a text member of an object answer. */
export function partOf(value: unknown, name: string): string {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return '';
  return textOf((value as Record<string, unknown>)[name]);
}
