import type { AnswerFault, Answers, ResolvedField } from '#fields';
import { attributes, type Content, type Html, html } from '../../../../platform/http/html.ts';
import type { Words } from '../words/index.ts';

/** A record that a `registry` field offers, in the words in which people choose it. */
export type OfferedRecord = { id: string; label: string };

/** What a page shows of a form in progress. */
/** What is wrong with an answer, as it is said beside its field. */
export type Fault = Pick<AnswerFault, 'name' | 'reason'>;

export type Asked = {
  words: Words;
  /** The language of the form's own texts, and of what is written as numbers and names. */
  locale: string;
  values: Answers;
  visible: ReadonlySet<string>;
  faults: readonly Fault[];
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

export function faultOf(field: ResolvedField, { faults }: Asked): Fault | undefined {
  return faults.find(({ name }) => name === field.id);
}

/** What every control of a field says of it. */
export function stateOf(field: ResolvedField, asked: Asked) {
  return {
    'aria-describedby': describedBy(field),
    'aria-invalid': faultOf(field, asked) ? 'true' : undefined,
    'aria-required': field.required ? 'true' : undefined,
  };
}

/** A field with one control, which its label names. */
export function single(field: ResolvedField, asked: Asked, control: Content): Html {
  return wrapped(
    field,
    asked,
    html`<label class="question" for="${controlId(field)}">${field.label ?? ''}${optionalMark(field, asked)}</label>
      ${said(field, asked)}${control}`,
  );
}

/** A field with several controls, named by their legend. */
export function group(field: ResolvedField, asked: Asked, controls: Content, role?: 'radiogroup'): Html {
  const state = stateOf(field, asked);
  const own = { role, 'aria-describedby': state['aria-describedby'], ...(role ? state : {}) };
  return wrapped(
    field,
    asked,
    html`<fieldset ${attributes(own)}>
      <legend class="question">${field.label ?? ''}${optionalMark(field, asked)}</legend>
      ${said(field, asked)}${controls}
    </fieldset>`,
  );
}

/** What is said of a field between its label and its controls. */
export function said(field: ResolvedField, asked: Asked): Html {
  const id = controlId(field);
  const fault = faultOf(field, asked);
  return html`${field.help === undefined ? '' : html`<p class="help" id="${id}-help">${field.help}</p>`}
    <p class="fault" id="${id}-fault" ${attributes({ hidden: !fault })}>
      ${fault && html`<span class="apart">${asked.words.problem}: </span>${fault.reason}`}
    </p>`;
}

export function wrapped(field: ResolvedField, asked: Asked, content: Content): Html {
  const wrong = faultOf(field, asked) !== undefined;
  return html`<div class="field${wrong ? ' wrong' : ''}" data-field="${field.id}" ${attributes({ hidden: !asked.visible.has(field.id) })}>
    ${content}
  </div>`;
}

function optionalMark({ required }: ResolvedField, { words }: Asked): Content {
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
