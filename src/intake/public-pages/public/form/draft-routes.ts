import { Type } from 'typebox';
import { html } from '../../../../platform/http/html.ts';
import type { App } from '../../../../platform/http/server.ts';
import { answerPage } from '../answer.ts';
import type { PublicPages } from '../context.ts';
import { tick } from '../marks.ts';
import { message, pressed } from '../messages.ts';
import { requireSameOrigin } from '../same-origin.ts';
import { wordsFor } from '../words/index.ts';
import { pageOfForm } from './form-page.ts';

const config = { access: { kind: 'link' } } as const;
const part = Type.String({ maxLength: 200 });
const schema = { hide: true, params: Type.Object({ token: part, secret: part }) };

/** The page of the mailed link of a draft. Opening it changes nothing, because mail scanners open links. The person must press the button. */
export function draftPageRoutes(app: App, pages: PublicPages): void {
  app.get('/f/:token/draft/:secret', { config, schema }, async (request, reply) => {
    const { token, secret } = request.params;
    const form = await pages.forms.show(request, token);
    const { title, text, goOn } = wordsFor(form.shown.publicSettings.locale).words.draft;
    const path = `${pages.base}/f/${token}/draft/${encodeURIComponent(secret)}`;
    const body = message({ mark: tick, title, text, more: html`<div class="actions">${pressed(path, goOn, { style: '' })}</div>` });
    return answerPage(reply, pages.assets, pageOfForm(pages, { form, token }, body));
  });

  app.post('/f/:token/draft/:secret', { config, schema }, async (request, reply) => {
    requireSameOrigin(request);
    const { token, secret } = request.params;
    await pages.forms.resume(request, reply, token, secret);
    return reply.redirect(`${pages.base}/f/${token}`, 303);
  });
}
