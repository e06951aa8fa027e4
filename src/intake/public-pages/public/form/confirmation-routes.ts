import { Type } from 'typebox';
import { html } from '../../../../platform/http/html.ts';
import type { App } from '../../../../platform/http/server.ts';
import { answerPage } from '../answer.ts';
import type { PublicPages } from '../context.ts';
import { tick } from '../marks.ts';
import { message, pressed } from '../messages.ts';
import { requireSameOrigin } from '../same-origin.ts';
import { wordsFor } from '../words/index.ts';
import { pageOfForm, pathOf } from './form-page.ts';

const config = { access: { kind: 'link' } } as const;
const part = Type.String({ maxLength: 200 });
const params = Type.Object({ token: part });
const schema = { hide: true, params: Type.Object({ token: part, secret: part }) };
const querystring = Type.Object({ locale: Type.Optional(Type.String({ maxLength: 35 })) });

/**
 * The pages for unconfirmed submissions: a page without scripts cannot compute a proof of work, so the person must confirm by a mailed link. Opening
 * the link changes nothing, because mail scanners open links. The person must press the button.
 */
export function confirmationPageRoutes(app: App, pages: PublicPages): void {
  app.get('/f/:token/held', { config, schema: { hide: true, params, querystring } }, async (request, reply) => {
    const { token } = request.params;
    const form = await pages.forms.show(request, token, { locale: request.query.locale, closed: true });
    const { held } = wordsFor(form.shown.publicSettings.locale).words;
    const body = message({ mark: tick, title: held.title, text: held.text });
    return answerPage(reply, pages.assets, pageOfForm(pages, { form, token }, body));
  });

  app.get('/f/:token/confirm/:secret', { config, schema }, async (request, reply) => {
    const { token, secret } = request.params;
    const form = await pages.forms.show(request, token);
    const { held } = wordsFor(form.shown.publicSettings.locale).words;
    const action = `${pathOf(pages, token)}/confirm/${encodeURIComponent(secret)}`;
    const more = html`<div class="actions">${pressed(action, held.confirm, { style: '' })}</div>`;
    const body = message({ mark: tick, title: held.confirmTitle, text: held.confirmText, more });
    return answerPage(reply, pages.assets, pageOfForm(pages, { form, token }, body));
  });

  app.post('/f/:token/confirm/:secret', { config, schema }, async (request, reply) => {
    requireSameOrigin(request);
    const { token, secret } = request.params;
    await pages.forms.confirm(request, reply, token, secret);
    return reply.redirect(`${pathOf(pages, token)}/done`, 303);
  });
}
