import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BookingsForPages } from '#bookings';
import { chooseLocale, messageLocales } from '#fields';
import type { FormsForPages } from '#forms';
import type { IssuedDocuments } from '#issued-documents';
import type { Verifying } from '#signatures';
import type { Problem } from '../../../platform/problems.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { appWords } from '../app/words/index.ts';
import { answerPage } from './answer.ts';
import { dash } from './marks.ts';
import { message } from './messages.ts';
import type { Assets } from './assets.ts';
import { refusalOf, refusalView } from './refusals.ts';
import type { PublicPage } from './shell.ts';
import { wordsFor } from './words/index.ts';

/** What the public's pages work with. */
export type PublicPages = {
  /** What stands before each path, from the service's public address. */
  base: string;
  assets: Assets;
  forms: FormsForPages;
  /** Where forms stand: those that are published, or drafts that somebody looks at. */
  formsAt: '/f' | '/preview';
  bookings: BookingsForPages;
  issuedDocuments: Pick<IssuedDocuments, 'verify'>;
  /** What looks at signed files. */
  verifying: Verifying;
  storage: Storage;
};

const service = { name: 'Chancery' };

/** The language of a page that is our own: what its address asks for, or what the browser prefers. */
export function ownLocale(request: FastifyRequest, given?: string): string {
  const { locale } = request.query as { locale?: unknown };
  const wanted = given ?? (typeof locale === 'string' ? locale : undefined);
  return chooseLocale({ wanted, accepted: request.headers['accept-language'] }, messageLocales, 'en');
}

/** The language that somebody has chosen on a page of our own, which the pages that it leads to keep: its address names it. */
export function requestedLocale(request: FastifyRequest): string | undefined {
  const { locale } = request.query as { locale?: unknown };
  return typeof locale === 'string' ? ownLocale(request) : undefined;
}

/** A page of the service itself, in one of our languages. */
export function ownPage(
  { base, assets }: PublicPages,
  request: FastifyRequest,
  reply: FastifyReply,
  page: Pick<PublicPage, 'title' | 'body' | 'path'> & Partial<PublicPage>,
): FastifyReply {
  return answerPage(reply, assets, {
    locale: ownLocale(request),
    brand: service,
    script: 'page',
    ...page,
    title: `${page.title} · ${service.name}`,
    path: `${base}${page.path}`,
  });
}

/** What went wrong, as a page: whoever opens a link reads no problem document. */
export function answerProblem(pages: PublicPages, request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const locale = ownLocale(request);
  const refusing = { words: wordsFor(locale).words, signIn: appWords(locale).signIn };
  reply.code(problem.status).headers(problem.headers);
  if (request.is404) {
    const { unknown: title, unknownText: text } = refusing.words.refused;
    return ownPage(pages, request, reply, { title, body: message({ mark: dash, tone: 'off', title, text }), path: '/' });
  }
  return ownPage(pages, request, reply, {
    title: refusalOf(problem, refusing).title,
    body: refusalView(problem, refusing),
    path: '/',
  });
}
