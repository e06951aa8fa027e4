import type { ResolvedField } from '#fields';
import { attributes, type Content, type Html, html, jsonBlock } from '../../../../platform/http/html.ts';
import { arrow } from '../marks.ts';
import { type ProofFiles, proofView } from '../proof-view.ts';
import { uploadErrors } from '../refusals.ts';
import { fill, type PublicTexts } from '../words/index.ts';
import { scriptTextsOf } from '../words/script-texts.ts';
import { withoutHidden } from './conditions.ts';
import { controlOf } from './controls.ts';
import { type FieldContext, controlId } from './question.ts';
import { openSteps, stepsOf } from './steps.ts';

/** A public form in one language. */
export type ShownForm = {
  /** The path of the page, where its answers are sent. */
  path: string;
  /** The path of the operations of the form link. */
  operations: string;
  title: string;
  description?: string;
  fields: readonly ResolvedField[];
  locale: string;
  version: number;
  submitLabel?: string;
  showProgress: boolean;
  /** Whether visitors can save drafts and continue by a mailed link. */
  drafts?: boolean;
  /** The files of the proof-of-work widget, if the form requires a proof. */
  proof?: ProofFiles;
};

/** The progress of a visitor in a form. */
export type Progress = {
  step: number;
  /** The idempotency key, so that a repeated submission is stored once. */
  key: string;
  /** Whether the visitor has not given any answer yet. */
  fresh?: boolean;
  /** A notice above the questions. */
  notice?: string;
  /** An error that does not belong to a field. */
  refusal?: string;
  /** Additional hidden values, by name. */
  along?: Readonly<Record<string, string>>;
};

/** The questions of a form with the current answers. All steps are in the page, and only the current one is visible. */
export function formView(form: ShownForm, context: FieldContext, progress: Progress, over?: Html): Html {
  const { words } = context;
  const open = openSteps(form.fields, context.visible);
  const place = Math.max(0, open.indexOf(progress.step));
  const last = place >= open.length - 1;
  const files = form.fields.some(({ type }) => type === 'file');
  const own = attributes({
    id: 'form',
    method: 'post',
    action: form.path,
    novalidate: true,
    enctype: files ? 'multipart/form-data' : undefined,
    'data-operations': form.operations,
    'data-fresh': progress.fresh,
  });
  return html`<div class="intro">
      <h1 tabindex="-1">${form.title}</h1>
      ${form.description && html`<p class="lead" ${attributes({ hidden: place > 0 })}>${form.description}</p>`}
    </div>
    <form ${own}>
      <button class="default" name="_go" value="enter" tabindex="-1" aria-hidden="true"></button>
      ${alongside(form, context, progress)}<span data-top hidden></span> ${summary(form, context, progress)}
      ${progress.notice && html`<p class="notice" role="status">${progress.notice}</p>`} ${over}
      ${open.length > 1 && form.showProgress && progressBar(words, place + 1, open.length)}
      ${stepsOf(form.fields).map(
        ({ number, fields }) =>
          html`<div class="step" data-step="${number}" ${attributes({ hidden: number !== (open[place] ?? 1) })}>
            ${fields.map((field) => controlOf(field, context))}
          </div>`,
      )}
      ${form.proof && proof(form, form.proof, words, last)}
      <div class="actions">
        <button class="button" name="_go" value="on" data-next="${words.next}" data-send="${form.submitLabel ?? words.send}">
          ${last ? (form.submitLabel ?? words.send) : words.next}
        </button>
        <button class="button plain" name="_go" value="back" ${attributes({ hidden: place === 0 })}>${arrow('back')}${words.back}</button>
      </div>
      ${form.drafts && later(words, form.proof !== undefined)} ${jsonBlock('definition', forScript(form, words))}
    </form>`;
}

/** Hidden form values that are not answers. */
function alongside(form: ShownForm, context: FieldContext, { step, key, along = {} }: Progress): Content {
  const kept = { _step: step, _key: key, _version: form.version, _locale: form.locale, _seen: [...context.visible].join(' '), ...along };
  return [
    Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`),
    html`<p class="honey" aria-hidden="true">
      <label>${context.words.honeypot} <input name="_website" tabindex="-1" autocomplete="off" /></label>
    </p>`,
  ];
}

/** The list of errors. It gets the focus, so that screen readers announce it. Each line links to its question. */
function summary({ fields }: ShownForm, { errors, words }: FieldContext, { refusal }: Progress): Content {
  if (errors.length === 0 && refusal === undefined) return '';
  const labels = new Map(fields.map((field) => [field.id, field]));
  const items = errors.map(({ name, reason }) => {
    const field = labels.get(name);
    return html`<li>${field && html`<a href="#${controlId(field)}">${short(field.label ?? '')}</a> `}<span>${reason}</span></li>`;
  });
  return html`<div class="summary" role="alert" tabindex="-1" id="summary" autofocus>
    <h2>${words.problems}</h2>
    <p>${refusal ?? words.problemsIntro}</p>
    ${
      items.length > 0 &&
      html`<ul>
        ${items}
      </ul>`
    }
  </div>`;
}

const short = (label: string) => (label.length > 80 ? `${label.slice(0, 79).trimEnd()}…` : label);

function progressBar(words: PublicTexts, step: number, steps: number): Html {
  return html`<p class="progress" tabindex="-1">
    <span data-text="${words.step}">${fill(words.step, { step, steps })}</span>
    <progress value="${step}" max="${steps}" aria-hidden="true"></progress>
  </p>`;
}

/** The form to save a draft and continue by a mailed link. If a proof of work is required, a script makes the form visible. */
function later({ draft }: PublicTexts, needsScript: boolean): Html {
  return html`<details class="later" ${attributes({ hidden: needsScript, 'data-later': true })}>
    <summary>${draft.later}</summary>
    <p class="help" id="later-help">${draft.laterText}</p>
    <label class="question" for="later-mail">${draft.email}</label>
    <div class="parts">
      <input class="input" type="email" name="_mail" id="later-mail" autocomplete="email" aria-describedby="later-help" />
      <button class="button second" name="_go" value="keep" formnovalidate>${draft.mail}</button>
    </div>
  </details>`;
}

/** The proof of work of the form. The widget computes it during the last step. */
function proof({ operations, fields }: ShownForm, files: ProofFiles, words: PublicTexts, isLast: boolean): Html {
  const isMailed = fields.some(({ type }) => type === 'email');
  const noScript = isMailed ? words.held.intro : words.refused.proofNeedsScript;
  return proofView(files, { challenge: `${operations}/altcha`, noScript, isHidden: !isLast });
}

/** Returns the data of the page script: the definition without texts that are already in the page, and the texts of the script. */
function forScript({ fields, locale }: ShownForm, words: PublicTexts) {
  const lean = withoutHidden(fields).map(({ label: _l, help: _h, placeholder: _p, options, ...field }) => ({
    ...field,
    ...(options ? { options: options.map(({ id }) => ({ id })) } : {}),
  }));
  return {
    fields: lean,
    locale,
    words: scriptTextsOf(words),
    uploadErrors: uploadErrors(words),
  };
}
