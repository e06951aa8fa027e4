import type { Signing } from '#signatures';
import { attributes, type Content, type Html, html, jsonBlock } from '../../../platform/http/html.ts';
import { fill, type PublicTexts } from '../public/words/index.ts';
import { type At, form } from './gate-view.ts';
import type { SigningWords } from './words/index.ts';

/** The values of the form so far, with the errors by form field. */
export type Draft = { values: ReadonlyMap<string, string>; errors: ReadonlyMap<string, string>; notice?: string };

export type SigningField = Signing['fields'][number];

/** The label of the sign button. */
const labelOf = ({ signer, documents }: Signing, words: SigningWords): string => {
  if (documents.length > 1) return signer.role === 'approver' ? words.approveAll : words.signAll;
  return signer.role === 'approver' ? words.approve : words.sign;
};

/** The signing form: the consent first, then the fields, then the signature. */
export function signForm(at: At, signing: Signing, draft: Draft, { words, page }: { words: SigningWords; page: PublicTexts }): Html {
  const own = signing.fields.filter((field) => field.own);
  const hidden = {
    documentsSha256: signing.documents.map(({ sha256 }) => sha256).join(' '),
    stateSha256: signing.stateSha256,
    consentId: signing.consentId,
    consentLocale: signing.locale,
  };
  return form(
    at,
    'sign',
    html`${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      ${summary(draft, own, words, page)} ${agreement(signing, draft, words)}
      ${own.length > 0 && toFillIn(own, draft, { words, documents: signing.documents })} ${signature(signing, draft, { words, page })}
      <div class="actions"><button class="button">${labelOf(signing, words)}</button></div>`,
    { id: 'sign', novalidate: true },
  );
}

function agreement({ locale, consentText }: Signing, draft: Draft, words: SigningWords): Html {
  return html`<section>
    <h2>${words.consentTitle}</h2>
    <p class="consent" lang="${locale}" dir="auto" tabindex="0">${consentText}</p>
    ${errorOf(draft, 'consent')}
    <label class="choice"
      ><input
        type="checkbox"
        id="consent"
        name="consent"
        value="yes"
        required=""
        ${described(draft, 'consent')}
        ${attributes({ checked: draft.values.get('consent') === 'yes' })}
      /><span class="text">${words.agree}</span></label
    >
  </section>`;
}

function toFillIn(
  own: readonly SigningField[],
  draft: Draft,
  { words, documents }: { words: SigningWords; documents: Signing['documents'] },
): Html {
  const filled = own.filter(({ kind }) => kind === 'text' || kind === 'checkbox' || kind === 'initials');
  return html`<section>
    <h2>${words.fieldsTitle}</h2>
    <div class="step">${filled.map((field) => control(field, draft, { words, documents }))}</div>
    ${filled.length < own.length && html`<p class="soft fine">${words.byItself}</p>`}
  </section>`;
}

function signature({ signer }: Signing, draft: Draft, { words, page }: { words: SigningWords; page: PublicTexts }): Html {
  return html`<section>
    <h2>${signer.role === 'approver' ? words.approveTitle : words.signTitle}</h2>
    <div
      class="field${draft.errors.has('name') || draft.errors.has('drawing') ? ' wrong' : ''}"
      data-sign=""
      ${attributes({ 'data-drawn': draft.errors.has('drawing') ? undefined : draft.values.get('drawing') || undefined })}
    >
      <label class="question" for="name">${words.name}</label>
      ${errorOf(draft, 'name')}${errorOf(draft, 'drawing')}
      <input
        class="input"
        id="name"
        name="name"
        autocomplete="name"
        maxlength="255"
        required
        dir="auto"
        value="${draft.values.get('name') ?? signer.name}"
        aria-describedby="name-hint${draft.errors.has('name') ? ' name-fault' : ''}"
      />
      <p class="count" id="name-hint">${words.nameHint}</p>
    </div>
    ${jsonBlock('signing-words', { ...page.signature, typed: words.typed })}
    <p class="soft fine">${words.meaning}</p>
  </section>`;
}

/** The progress bar on phones, with a link to the next step or the sign button. A script updates it. */
export function progressBar(signing: Signing, draft: Draft, words: SigningWords): Html {
  const approves = signing.signer.role === 'approver';
  const required = signing.fields.filter(
    ({ own, kind, required: isRequired }) => own && isRequired && (kind === 'text' || kind === 'checkbox'),
  );
  const value = (name: string) => draft.values.get(name) ?? '';
  const steps = [
    { id: 'consent', label: words.consentTitle, isDone: value('consent') === 'yes' },
    ...required.map(({ id, kind, label }) => ({
      id: `field-${id}`,
      label: label ?? words.kinds[kind],
      isDone: value(`field.${id}`) !== '',
    })),
    {
      id: 'name',
      label: approves ? words.approveTitle : words.signTitle,
      isDone: (draft.values.get('name') ?? signing.signer.name) !== '',
    },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone);
  const count = fill(words.progress, { done, steps: steps.length });
  return html`<div class="sign-bar" data-sign-bar="${words.progress}">
    <div>
      <span>${count}</span>
      <progress max="${steps.length}" value="${done}" aria-label="${count}"></progress>
    </div>
    ${steps.map(
      (step) =>
        html`<a class="button small" href="#${step.id}" ${attributes({ hidden: step !== next })}
          >${fill(words.nextStep, { step: step.label })}</a
        >`,
    )}
    <button class="button small" form="sign" ${attributes({ hidden: next !== undefined })}>${labelOf(signing, words)}</button>
  </div>`;
}

/** The list of errors. It gets the focus, because the form is below the document. */
function summary({ errors, notice }: Draft, own: readonly SigningField[], words: SigningWords, page: PublicTexts): Content {
  if (errors.size === 0 && notice === undefined) return '';
  const fixed: Readonly<Record<string, [id: string, label: string]>> = {
    consent: ['consent', words.consentTitle],
    name: ['name', words.name],
    drawing: ['name', words.signTitle],
  };
  const items = [...errors].map(([name, reason]) => {
    const field = own.find(({ id }) => name === `field.${id}`);
    const [id, label] = fixed[name] ?? [`field-${field?.id}`, field?.label ?? words.kinds[field?.kind ?? 'text']];
    return html`<li><a href="#${id}">${label}</a> <span>${reason}</span></li>`;
  });
  return html`<div class="summary" role="alert" tabindex="-1" id="summary" autofocus>
    <h2>${page.problems}</h2>
    <p>${notice ?? page.problemsIntro}</p>
    ${
      items.length > 0 &&
      html`<ul>
        ${items}
      </ul>`
    }
  </div>`;
}

/** Links to decline, and to delegate to another signer. */
export function otherWays({ path, locale }: At, signing: Signing, words: SigningWords): Html {
  const to = (act: string, label: string) =>
    html`<a class="button plain small" href="${path}?${new URLSearchParams({ do: act, locale }).toString()}">${label}</a>`;
  return html`<p class="ways">${signing.allowDelegation && to('delegate', words.delegate)}${to('decline', words.decline)}</p>`;
}

function control(field: SigningField, draft: Draft, { words, documents }: { words: SigningWords; documents: Signing['documents'] }): Html {
  const { id, kind, required, label } = field;
  const name = `field.${id}`;
  const called = label ?? words.kinds[kind];
  const of = documents.length > 1 ? `${documents[field.document]?.title ?? ''}, ` : '';
  const where = html`<bdi>${of}</bdi>${fill(words.onPage, { page: field.page })}`;
  if (kind === 'checkbox')
    return html`<div class="field${draft.errors.has(name) ? ' wrong' : ''}">
      ${errorOf(draft, name)}
      <label class="choice"
        ><input
          id="field-${id}"
          type="checkbox"
          name="${name}"
          value="yes"
          ${attributes({ required })}
          ${described(draft, name)}
          ${attributes({ checked: draft.values.get(name) === 'yes' })}
        /><span class="text">${called} <span class="optional">${where}</span></span></label
      >
    </div>`;
  const optional = !required || kind === 'initials';
  return html`<div class="field${draft.errors.has(name) ? ' wrong' : ''}">
    <label class="question" for="field-${id}"
      >${called}
      <span class="optional">${optional ? html`<bdi>${of}</bdi>${fill(words.onPageOptional, { page: field.page })}` : where}</span></label
    >
    ${errorOf(draft, name)}
    <input
      class="input${kind === 'initials' ? ' short' : ''}"
      id="field-${id}"
      name="${name}"
      dir="auto"
      ${attributes({ required: !optional, maxlength: field.maxLength })}
      ${described(draft, name)}
      value="${draft.values.get(name) ?? ''}"
    />
  </div>`;
}

const idOf = (name: string) => `${name.replaceAll('.', '-')}-fault`;

function errorOf({ errors }: Draft, name: string): Content {
  const said = errors.get(name);
  return said !== undefined && html`<p class="fault" id="${idOf(name)}">${said}</p>`;
}

function described({ errors }: Draft, name: string) {
  return attributes(errors.has(name) ? { 'aria-invalid': 'true', 'aria-describedby': idOf(name) } : {});
}

/** The form to decline, with a reason. */
export function declineView(at: At, draft: Draft, words: SigningWords): Html {
  const { declining } = words;
  return html`<div class="intro">
      <h1 tabindex="-1">${declining.title}</h1>
      <p class="lead">${declining.text}</p>
    </div>
    ${form(
      at,
      'decline',
      html`<div class="field${draft.errors.has('reason') ? ' wrong' : ''}">
          <label class="question" for="reason">${declining.reason}</label>
          ${errorOf(draft, 'reason')}
          <textarea id="reason" name="reason" maxlength="2000" dir="auto" ${described(draft, 'reason')}>
${draft.values.get('reason') ?? ''}</textarea>
        </div>
        <div class="actions">
          <button class="button danger">${declining.send}</button>
          <a class="button plain" href="${at.path}?locale=${at.locale}">${declining.keep}</a>
        </div>`,
    )}`;
}

/** The form to delegate to another signer. */
export function delegateView(at: At, draft: Draft, words: SigningWords): Html {
  const { delegating } = words;
  const input = (name: 'name' | 'email', type: string) =>
    html`<div class="field${draft.errors.has(name) ? ' wrong' : ''}">
      <label class="question" for="to-${name}">${delegating[name]}</label>
      ${errorOf(draft, name)}
      <input
        class="input"
        id="to-${name}"
        name="${name}"
        type="${type}"
        maxlength="254"
        required
        dir="auto"
        ${described(draft, name)}
        value="${draft.values.get(name) ?? ''}"
      />
    </div>`;
  return html`<div class="intro">
      <h1 tabindex="-1">${delegating.title}</h1>
      <p class="lead">${delegating.text}</p>
    </div>
    ${form(
      at,
      'delegate',
      html`${draft.notice !== undefined && html`<p class="notice" role="alert">${draft.notice}</p>`}
        <div class="step">${input('name', 'text')}${input('email', 'email')}</div>
        <div class="actions">
          <button class="button">${delegating.send}</button>
          <a class="button plain" href="${at.path}?locale=${at.locale}">${words.declining.keep}</a>
        </div>`,
      { novalidate: true },
    )}`;
}
