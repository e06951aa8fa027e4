import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignInForPages } from '#accounts';
import type { DocumentsForPages } from '#documents';
import type { TasksForPages } from '#tasks';
import { html } from '../../../platform/http/html.ts';
import { ownLocale, ownPage, type PublicPages } from '../public/context.ts';
import { clock } from '../public/marks.ts';
import { message } from '../public/messages.ts';
import type { Brand } from '../public/shell.ts';
import { appWords } from './words/index.ts';

/** The dependencies of the pages for signed-in people. */
export type AppPages = PublicPages & {
  session: SignInForPages;
  tasks: TasksForPages;
  documents: DocumentsForPages;
  /** Returns the token of the form that a task of the person requires. */
  taskForm(request: FastifyRequest, task: string): Promise<string>;
};

/** Returns the address of the sign-in page that leads to `next`. */
export const signInPath = (base: string, next: string, locale?: string): string =>
  `${base}/app/sign-in?${new URLSearchParams({ next, ...(locale === undefined ? {} : { locale }) }).toString()}`;

/** Returns whether the user came from a link on another site, such as a webmail page. The browser then sends no cookies with `SameSite=Strict`. */
export function isFromElsewhere(request: FastifyRequest): boolean {
  return request.method === 'GET' && request.headers['sec-fetch-site'] === 'cross-site';
}

/**
 * Sends a page that opens `path` again. The second request comes from a page of this service, so it includes the cookies. A script keeps the fragment
 * of the address.
 */
export function openAgain(pages: PublicPages, request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  const words = appWords(ownLocale(request));
  const goTo = `${pages.base}${path}`;
  const body = message({
    mark: clock,
    title: words.moment,
    more: html`<p class="actions"><a class="button" href="${goTo}" data-go-to>${words.goOn}</a></p>`,
  });
  return ownPage(pages, request, reply, { title: words.moment, body, path, goTo });
}

/** Runs `work` for a signed-in person. Without a session it redirects to the sign-in page, which then leads to `path`. */
export async function withPerson(
  pages: Pick<AppPages, 'session'> & PublicPages,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  if (await pages.session.identify(request, reply)) return work();
  if (isFromElsewhere(request)) return openAgain(pages, request, reply, path);
  return reply.redirect(signInPath(pages.base, path), 303);
}

/** Returns the person of the request, and the brand of the team. */
export async function aboutPerson(pages: AppPages, request: FastifyRequest): Promise<{ email: string; brand: Brand }> {
  const { email, teamName } = await pages.session.about(request);
  const brand = await pages.forms.brand(request, request.principal?.team ?? '', teamName);
  return { email, brand: brand.logo === undefined ? brand : { ...brand, logo: `${pages.base}${brand.logo}` } };
}
