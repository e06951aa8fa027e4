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
      'The server has answered. Finish where you began: send this to the operation that finishes a sign-in, in the session in which you began.',
    label: 'The answer',
    care: 'It is good for ten minutes, once. Give it to nobody, and to no program in which you have not begun this yourself.',
    unknown: 'Nothing was begun here',
    unknownText: 'This answers no sign-in of this service. Close this page, and begin again.',
  },
  de: {
    title: 'Fast geschafft',
    intro:
      'Der Server hat geantwortet. Beenden Sie die Anmeldung dort, wo Sie sie begonnen haben: Senden Sie dies in derselben Sitzung an die Operation, die eine Anmeldung abschließt.',
    label: 'Die Antwort',
    care: 'Sie gilt zehn Minuten lang, einmal. Geben Sie sie niemandem, und keinem Programm, in dem Sie dies nicht selbst begonnen haben.',
    unknown: 'Hier wurde nichts begonnen',
    unknownText: 'Dies gehört zu keiner Anmeldung dieses Dienstes. Schließen Sie die Seite, und beginnen Sie noch einmal.',
  },
};

/**
 * Where the authorization servers of MCP servers elsewhere send an administrator’s browser: the answer goes to the page that was named when the
 * sign-in was begun, or is shown. Opening this page changes nothing, and whoever else has the answer cannot use it.
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
