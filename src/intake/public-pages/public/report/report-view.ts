import { maxText, reportReasons } from '#forms';
import { attributes, type Content, type Html, html } from '../../../../platform/http/html.ts';
import { tick } from '../marks.ts';
import { message } from '../messages.ts';
import { fill, type PublicTexts } from '../words/index.ts';

/** A report in progress. */
export type Reporting = {
  /** The path to which the report is sent. */
  path: string;
  locale: string;
  /** The title of the reported page. */
  title: string;
  reason?: string | undefined;
  text?: string;
  /** The errors, by control. */
  errors?: { reason?: string | undefined; text?: string | undefined };
  /** An error of the whole form, not of one control. */
  refusal?: string;
};

/** The form of a report. */
export function reportView({ path, locale, title, reason, text = '', errors = {}, refusal }: Reporting, words: PublicTexts): Html {
  const { reporting } = words;
  const choices = reportReasons.map((one) => {
    const own = attributes({ id: `reason-${one}`, checked: one === reason, required: true });
    return html`<label class="choice"
      ><input type="radio" name="reason" value="${one}" ${own} /><span class="text">${reporting[one]}</span></label
    >`;
  });
  return html`<div class="intro">
      <h1>${reporting.title}</h1>
      <p class="lead">${fill(reporting.intro, { title })}</p>
    </div>
    <form method="post" action="${path}">
      <input type="hidden" name="locale" value="${locale}" />
      ${refusal === undefined ? '' : html`<p class="notice" role="alert">${refusal}</p>`}
      <div class="step">
        <div class="field${errors.reason === undefined ? '' : ' wrong'}">
          <fieldset role="radiogroup" aria-describedby="reason-fault">
            <legend class="question">${reporting.question}</legend>
            ${errorOf('reason', errors.reason, words)}
            <div class="choices">${choices}</div>
          </fieldset>
        </div>
        <div class="field${errors.text === undefined ? '' : ' wrong'}">
          <label class="question" for="text">${reporting.more} <span class="optional">(${words.optional})</span></label>
          ${errorOf('text', errors.text, words)}
          <textarea id="text" name="text" rows="5" maxlength="${String(maxText)}" aria-describedby="text-fault">${text}</textarea>
        </div>
      </div>
      <p class="actions"><button class="button">${reporting.send}</button></p>
    </form>`;
}

function errorOf(id: string, error: string | undefined, { problem }: PublicTexts): Content {
  return html`<p class="fault" id="${id}-fault" ${attributes({ hidden: error === undefined })}>
    ${error === undefined ? '' : html`<span class="apart">${problem}: </span>${error}`}
  </p>`;
}

export function reportedView({ reporting }: PublicTexts): Html {
  return message({ mark: tick, title: reporting.sent, text: reporting.sentText });
}
