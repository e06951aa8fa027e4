import { signInCallbackPath, type SignInAnswer } from '#agents';
import { html } from '../../platform/http/html.ts';
import type { App } from '../../platform/http/server.ts';
import { sendPage } from '../../platform/http/web-page.ts';
import { type Language, preferredLanguage } from '../../platform/mail/compose.ts';

const service = 'Chancery';

const texts: Record<Language, { title: string; intro: string; label: string; care: string; unknown: string; unknownText: string }> = {
  en: {
    title: 'Almost done',
    intro:
      'The authorization server has responded. Continue where you started: send this response to the operation that finishes the sign-in, in the same session.',
    label: 'Response',
    care: 'It is valid once, within ten minutes. Do not share it, and enter it only in an app where you started this yourself.',
    unknown: 'No sign-in found',
    unknownText: 'This response does not belong to a sign-in of this service. Close this page, and start again.',
  },
  de: {
    title: 'Fast geschafft',
    intro:
      'Der Autorisierungsserver hat geantwortet. Machen Sie dort weiter, wo Sie begonnen haben: Senden Sie diese Antwort in derselben Sitzung an die Operation, die die Anmeldung abschließt.',
    label: 'Antwort',
    care: 'Sie gilt einmal und zehn Minuten lang. Geben Sie sie nicht weiter, und geben Sie sie nur in einer App ein, in der Sie dies selbst begonnen haben.',
    unknown: 'Keine Anmeldung gefunden',
    unknownText: 'Diese Antwort gehört zu keiner Anmeldung dieses Dienstes. Schließen Sie diese Seite, und beginnen Sie erneut.',
  },
};

/**
 * The redirect address for the authorization servers of external MCP servers. The response goes to the `returnTo` page of the sign-in,
 * or is displayed. Opening this page changes nothing, and other people cannot use the response.
 */
export function signInAnswerPage(app: App, read: (query: Readonly<Record<string, unknown>>) => SignInAnswer): void {
  app.get(signInCallbackPath, { config: { access: { kind: 'public' } }, schema: { hide: true } }, (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', vary: 'accept-language' });
    const found = read(request.query as Record<string, unknown>);
    if (found.kind === 'return') return reply.redirect(found.to, 303);
    const language = preferredLanguage(request.headers['accept-language']);
    const own = texts[language];
    if (found.kind === 'unknown') {
      const body = html`<div class="card">
        <h1>${own.unknown}</h1>
        <p>${own.unknownText}</p>
      </div>`;
      return sendPage(reply.code(400), { language, title: `${own.unknown} · ${service}`, body });
    }
    const body = html`<div class="card">
      <h1>${own.title}</h1>
      <p>${own.intro}</p>
      <h2 id="answer">${own.label}</h2>
      <pre tabindex="0" aria-labelledby="answer" role="region"><code>${JSON.stringify(found.answer, null, 2)}</code></pre>
      <p class="soft">${own.care}</p>
    </div>`;
    return sendPage(reply, { language, title: `${own.title} · ${service}`, body });
  });
}
