import { attributes, type Content, type Html, html, isSafeLink } from '../../../../platform/http/html.ts';
import { tick } from '../marks.ts';
import { facts, message, pressed } from '../messages.ts';
import { fill, type PublicTexts } from '../words/index.ts';

export type Submitted = {
  /** The path of the form. */
  path: string;
  /** The path of the operations of the form link. */
  operations: string;
  /** The reference of the submission; undefined if the browser has no session. */
  submissionId?: string | undefined;
  message?: string | undefined;
  /** The status of the PDF; undefined if there is none. */
  pdf?: 'preparing' | 'ready' | 'failed' | undefined;
  redirectUrl?: string | undefined;
};

/** The page after a submission: a confirmation, the reference, and the PDF when it is ready. */
export function doneView(done: Submitted, words: PublicTexts): Html {
  const leads = goOn(done, words);
  // Without a session there is nothing to clear.
  const ends = done.submissionId !== undefined;
  return message({
    mark: tick,
    title: words.done.title,
    text: done.message ?? words.done.text,
    more: html`<div
        data-sent="${done.path}"
        ${attributes({ class: (done.submissionId ?? done.pdf) && 'card', 'data-redirect': done.pdf === undefined ? done.redirectUrl : undefined })}
      >
        ${done.submissionId && facts([[words.done.reference, html`<code>${done.submissionId}</code>`]])} ${pdfOf(done, words)}
      </div>
      ${(leads || ends) && html`<div class="actions">${leads} ${ends && pressed(`${done.path}/finish`, words.done.finish)}</div>`}
      ${ends && html`<p class="soft">${words.done.finishHint}</p>`}`,
  });
}

function pdfOf({ pdf, path, operations }: Submitted, { done }: PublicTexts): Content {
  if (pdf === undefined) return '';
  const text = { preparing: done.preparing, ready: done.ready, failed: done.failed }[pdf];
  const status = attributes({ 'data-status': pdf === 'preparing' && 'preparing' });
  return html`<div class="pdf" ${status}>
    <p role="status">${text}</p>
    ${pdf === 'ready' && html`<p class="actions"><a class="button" href="${operations}/submission/pdf" download>${done.pdf}</a></p>`}
    ${pdf === 'preparing' && html`<p class="actions"><a class="button second" href="${path}/done">${done.check}</a></p>`}
  </div>`;
}

function goOn({ redirectUrl }: Submitted, { done }: PublicTexts): Content {
  if (redirectUrl === undefined || !isSafeLink(redirectUrl) || !URL.canParse(redirectUrl)) return '';
  return html`<a class="button" href="${redirectUrl}" rel="noreferrer">${fill(done.goOn, { host: new URL(redirectUrl).host })}</a>`;
}
