import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageForm } from '#forms';
import { Problem } from '../../../../platform/problems.ts';
import { appWords } from '../../app/words/index.ts';
import { answerPage } from '../answer.ts';
import { writer } from '../booking/days.ts';
import type { PublicPages } from '../context.ts';
import { dash } from '../marks.ts';
import { message } from '../messages.ts';
import { refusalOf } from '../refusals.ts';
import { fill, wordsFor } from '../words/index.ts';
import { pageOfForm } from './form-page.ts';

/** Route patterns of form pages. */
const ofForm = /^\/f\/:token(?:\/|$)/;

/** Returns the form of the request; undefined for other addresses and for invalid links. */
async function formOf(pages: PublicPages, request: FastifyRequest): Promise<{ form: PageForm; token: string } | undefined> {
  if (!ofForm.test(request.routeOptions.url ?? '')) return undefined;
  const { token } = request.params as { token: string };
  const { locale } = request.query as { locale?: unknown };
  try {
    const form = await pages.forms.show(request, token, { locale: typeof locale === 'string' ? locale : undefined, closed: true });
    return { form, token };
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** Sends an error as a page of the form, with its brand and language. Returns false if the form is unknown. */
export async function answerOfForm(
  pages: PublicPages,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): Promise<FastifyReply | false> {
  const open = problem.status < 500 ? await formOf(pages, request) : undefined;
  if (!open) return false;
  const { locale } = open.form.shown.publicSettings;
  const { words } = wordsFor(locale);
  const refusal = refusalOf(problem, { words, signIn: appWords(locale).signIn });
  const opensAt = problem.code === 'interface_closed' ? laterOpening(open.form, request.server.clock()) : undefined;
  const text =
    opensAt === undefined ? refusal.text : fill(words.refused.opensAt, { time: writer(locale, open.form.timeZone).moment(opensAt) });
  const body = message({ mark: dash, tone: 'off', title: refusal.title, text });
  reply.code(problem.status).headers(problem.headers);
  const page = pageOfForm(pages, open, body);
  return answerPage(reply, pages.assets, { ...page, title: `${refusal.title} · ${page.title}` });
}

const laterOpening = ({ settings: { opensAt } }: PageForm, now: Date): string | undefined =>
  opensAt !== undefined && new Date(opensAt) > now ? opensAt : undefined;
