import { isList, type ResolvedField } from '#fields';
import { attributes, type Content, type Html, html } from '../../../../platform/http/html.ts';
import { fill } from '../words/index.ts';
import { type FieldContext, chosenOf, controlId, group, partOf, single, stateOf } from './question.ts';

/** A heading between questions, with an optional help text. */
export function heading(field: ResolvedField, context: FieldContext): Html {
  return html`<div class="field heading" data-field="${field.id}" ${attributes({ hidden: !context.visible.has(field.id) })}>
    <h2>${field.label ?? ''}</h2>
    ${field.help === undefined ? '' : html`<p class="help">${field.help}</p>`}
  </div>`;
}

/** An input for files. With scripts each file is uploaded at once, otherwise when the visitor presses a button. */
export function files(field: ResolvedField, context: FieldContext): Html {
  const { words, uploads, values } = context;
  const size = Math.min(field.validation?.maxSizeMb ?? uploads.maxSizeMb, uploads.maxSizeMb);
  const count = field.validation?.maxItems ?? 1;
  const accept = field.validation?.accept ?? uploads.accept;
  const own = attributes({
    id: controlId(field),
    name: `_file.${field.id}`,
    accept: accept.length > 0 && accept.join(','),
    multiple: isList(field),
    'data-most': count,
    'data-size': size,
    ...stateOf(field, context),
  });
  const limits = count > 1 ? fill(words.file.limitSeveral, { count, size }) : fill(words.file.limit, { size });
  return single(
    field,
    context,
    html`<div class="drop" data-upload="${field.id}">
        <input type="file" ${own} />
        <span class="pick" aria-hidden="true" hidden
          ><span class="button second small">${count > 1 ? words.file.chooseSeveral : words.file.choose}</span>
          <span class="by-mouse">${words.file.drop}</span></span
        >
        <span class="limits">${limits}</span>
      </div>
      <ul class="files">
        ${chosenOf(values[field.id]).map((id) => keptFile(field, context, id))}
      </ul>`,
  );
}

/** An uploaded file: its identifier and name as hidden values, and a button to remove it. */
function keptFile(field: ResolvedField, { words, fileNames }: FieldContext, id: string): Html {
  const name = fileNames.get(id) ?? id;
  return html`<li>
    <span>${name}</span>
    <button class="button plain small" name="_remove" value="${field.id} ${id}" aria-label="${fill(words.file.removeOne, { name })}">
      ${words.file.remove}
    </button>
    <input type="hidden" name="${field.id}" value="${id}" /><input type="hidden" name="_name.${id}" value="${name}" />
  </li>`;
}

/** A signature: a typed name or, with scripts, a drawing that is uploaded as a file. */
export function signature(field: ResolvedField, context: FieldContext): Html {
  const { words } = context;
  const id = controlId(field);
  const value = context.values[field.id];
  const drawing = partOf(value, 'fileId');
  const { 'aria-describedby': described, ...state } = stateOf(field, context);
  const own = attributes({
    id,
    name: `${field.id}.name`,
    value: partOf(value, 'name'),
    autocomplete: 'name',
    'aria-describedby': `${id}-hint ${described}`,
    ...state,
  });
  const typed = html`<label class="part" for="${id}">${words.signature.name}</label>
    <input class="input signed" ${own} />
    <p class="count" id="${id}-hint">${words.signature.hint}</p>`;
  return group(
    field,
    context,
    html`<div class="signature" data-signature="${field.id}">
      <div class="typed">${typed}</div>
      ${drawing === '' ? '' : drawn(field, context, drawing)}
    </div>`,
  );
}

function drawn(field: ResolvedField, { words }: FieldContext, fileId: string): Content {
  return html`<ul class="files">
    <li>
      <span>${words.signature.drawn}</span>
      <button class="button plain small" name="_remove" value="${field.id}.fileId ${fileId}">${words.signature.clear}</button>
      <input type="hidden" name="${field.id}.fileId" value="${fileId}" />
    </li>
  </ul>`;
}

const addressParts = ['street', 'city', 'region', 'postalCode', 'country'];

/** An address in one input, with suggestions if scripts run. The parts of a chosen suggestion are hidden form values. */
export function address(field: ResolvedField, context: FieldContext): Html {
  const value = context.values[field.id];
  const own = attributes({
    id: controlId(field),
    name: `${field.id}.value`,
    value: partOf(value, 'value'),
    placeholder: field.placeholder,
    autocomplete: 'street-address',
    ...stateOf(field, context),
  });
  const parts = addressParts
    .map((part) => ({ name: `${field.id}.${part}`, value: partOf(value, part) }))
    .filter((part) => part.value !== '');
  return single(
    field,
    context,
    html`<div class="suggest" data-address="${field.id}">
      <input class="input" ${own} />${parts.map((part) => html`<input type="hidden" name="${part.name}" value="${part.value}" />`)}
    </div>`,
  );
}
