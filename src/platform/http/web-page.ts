import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { tokens } from '../design/tokens.ts';
import { type Html, html, verbatim } from './html.ts';

/**
 * The style of all pages: one column that fits a phone, light or dark as the browser prefers. Font sizes follow the
 * browser setting. The contrast is at least 4.5:1 for text and 3:1 for field borders (WCAG 2.2, 1.4.3 and 1.4.11).
 */
const style = `
${tokens}
*{box-sizing:border-box}
body{font:1rem/1.55 var(--sans);background:var(--page);color:var(--ink);margin:0;padding:1rem;border-block-start:4px solid var(--accent);overflow-wrap:anywhere}
main{max-width:46rem;margin:2rem auto}
h1{font:500 1.75rem/1.25 var(--serif);margin:0 0 1rem}h2{font-size:1.1rem;margin:0}
p{margin:.6rem 0}a{color:var(--accent)}.soft{color:var(--soft)}
code{font:.95em var(--mono)}
ul{padding-left:1.25rem}li{margin:.4rem 0}
article,.card{background:var(--surface);border:1px solid var(--hair);border-radius:12px;padding:1rem 1.25rem;margin:1rem 0}
.card{max-width:28rem;margin:0 auto;padding:1.75rem 1.5rem}
pre{white-space:pre-wrap;font:inherit;margin:0}
label{display:block;font-weight:600;margin:1.1rem 0 .3rem}
.hint{color:var(--soft);font-size:.92rem;margin:0 0 .35rem}
input,select{font:inherit;color:inherit;background:var(--surface);border:1px solid var(--edge);border-radius:8px;width:100%;min-height:2.9rem;padding:.5rem .75rem}
input[readonly]{background:var(--page);text-overflow:ellipsis}
input[type=checkbox]{width:1.5rem;min-height:1.5rem;height:1.5rem;margin:0;accent-color:var(--accent);flex:none}
label.check{display:flex;gap:.6rem;align-items:center;font-weight:400;min-height:2.5rem;margin:.6rem 0 0;width:fit-content}
button{font:inherit;font-weight:600;color:var(--on-accent);background:var(--accent);border:1px solid transparent;border-radius:8px;width:100%;min-height:2.9rem;padding:.5rem 1rem;margin-top:1.25rem;cursor:pointer}
a.button{display:block;text-align:center;text-decoration:none;font-weight:600;color:var(--on-accent);background:var(--accent);border-radius:8px;padding:.7rem 1rem;margin-top:1.25rem}
button.second{color:var(--accent);background:none;border-color:var(--edge);margin-top:.75rem}
button[aria-disabled=true]{opacity:.7;cursor:progress}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}h1:focus{outline:none}
[aria-invalid=true]{border:2px solid var(--wrong)}
.error{color:var(--wrong);margin:.35rem 0 0}.error:empty,.alert:empty{display:none}
.alert{color:var(--wrong);background:var(--wrong-tint);border:1px solid var(--wrong);border-radius:8px;padding:.7rem .9rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:1rem 0}dt{color:var(--soft)}dd{margin:0;min-width:0}
[hidden]{display:none}
@media (max-width:26rem){main{margin:.5rem auto}.card{padding:1.25rem 1rem}}
`;

/** Returns a source expression of a content security policy that allows exactly this text (CSP 3 §2.3.1). */
function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const styleHash = hashOf(style);

export type WebPage = {
  language: string;
  title: string;
  body: Html;
  /** A module script that runs after the page is loaded. */
  script?: string;
  /** Additional markup of the head, such as a style sheet. */
  head?: Html;
  /** Additional directives and sources of the content security policy, by directive. */
  allow?: Record<string, string>;
};

/** Returns the content security policy of a page: only its own style and script are allowed. */
function policyOf({ script, allow = {} }: WebPage): string {
  const directives: Record<string, string> = {
    'default-src': "'none'",
    'style-src': styleHash,
    ...(script === undefined ? {} : { 'script-src': hashOf(script) }),
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  };
  for (const [name, sources] of Object.entries(allow)) directives[name] = directives[name] ? `${directives[name]} ${sources}` : sources;
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`.trim())
    .join('; ');
}

/** Sends a page with its content security policy. Pages load resources only from this service. */
export function sendPage(reply: FastifyReply, page: WebPage): FastifyReply {
  const { language, title, body, script, head } = page;
  const text = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${verbatim('style', '', style)} ${head ?? ''}
      </head>
      <body>
        <main>${body}</main>
        ${script === undefined ? '' : verbatim('script', ' type="module"', script)}
      </body>
    </html> `;
  return reply
    .headers({
      'content-security-policy': policyOf(page),
      'content-language': language,
      'cross-origin-opener-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(text.markup);
}
