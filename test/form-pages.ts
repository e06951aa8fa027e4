import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Field, checkWith, resolveFields } from '../src/intake/fields/index.ts';
import { formView, type Progress, type ShownForm } from '../src/intake/public-pages/public/form/form-view.ts';
import type { FieldContext } from '../src/intake/public-pages/public/form/question.ts';
import { onStep, shownFor } from '../src/intake/public-pages/public/form/steps.ts';
import { documentOf, type PublicPage } from '../src/intake/public-pages/public/shell.ts';
import { tokens } from '../src/platform/design/tokens.ts';
import { wordsFor } from '../src/intake/public-pages/public/words/index.ts';

const record = '00000000-0000-7000-8000-000000000001';

/** Fields of every type with every property, on two pages. */
export const everyField: Field[] = [
  { id: 'h', type: 'heading', label: 'About you', help: 'So that we know whom to write to.' },
  { id: 'name', type: 'text', label: 'Full name', required: true, placeholder: 'Ada Lovelace' },
  { id: 'email', type: 'email', label: 'E-mail address', help: 'We answer to this address within two working days.', required: true },
  { id: 'phone', type: 'phone', label: 'Phone' },
  { id: 'country', type: 'country', label: 'Country of residence' },
  { id: 'address', type: 'address', label: 'Address' },
  { id: 'born', type: 'date', label: 'Date of birth', required: true },
  {
    id: 'matter',
    type: 'radio',
    label: 'What is it about?',
    required: true,
    options: [
      { id: 'a', label: 'A contract that I signed' },
      { id: 'b', label: 'My data, and what is done with it' },
      { id: 'c', label: 'Something else' },
    ],
  },
  {
    id: 'what',
    type: 'textarea',
    label: 'What happened?',
    help: 'A few sentences are enough.',
    required: true,
    validation: { maxLength: 600 },
    visibleIf: { field: 'matter', eq: 'c' },
  },
  { id: 'represented', type: 'boolean', label: 'Does somebody represent you?', required: true },
  { id: 'h2', type: 'heading', label: 'Your claim', page: 2 },
  { id: 'amount', type: 'money', label: 'Amount in dispute', options: [{ id: 'EUR' }, { id: 'USD' }, { id: 'JPY' }], page: 2 },
  { id: 'fee', type: 'money', label: 'Fee', options: [{ id: 'EUR', label: 'EUR' }], page: 2 },
  { id: 'share', type: 'number', label: 'Your share in percent', page: 2, validation: { min: 0, max: 100 } },
  { id: 'pieces', type: 'integer', label: 'Number of documents', page: 2 },
  {
    id: 'court',
    type: 'select',
    label: 'Court',
    options: [
      { id: 'd', label: 'District court' },
      { id: 'r', label: 'Regional court' },
    ],
    page: 2,
  },
  {
    id: 'topics',
    type: 'multiselect',
    label: 'What do you need?',
    help: 'Choose as many as you like.',
    options: [
      { id: 'x', label: 'Advice on the phone' },
      { id: 'y', label: 'A letter to the other side' },
      { id: 'z', label: 'Representation in court' },
    ],
    page: 2,
  },
  { id: 'site', type: 'url', label: 'Web page', placeholder: 'https://', page: 2 },
  { id: 'hour', type: 'time', label: 'Best time to call', page: 2 },
  { id: 'when', type: 'datetime', label: 'When did it happen?', page: 2 },
  { id: 'lawyer', type: 'registry', label: 'Your contact with us', registryTypeId: record, page: 2 },
  {
    id: 'papers',
    type: 'file',
    label: 'Documents',
    help: 'Letters, contracts, photographs.',
    validation: { maxItems: 5, accept: ['application/pdf', 'image/*'] },
    page: 2,
  },
  { id: 'news', type: 'checkbox', label: 'Write to me when the law changes', page: 2 },
  { id: 'sign', type: 'signature', label: 'Signature', required: true, page: 2 },
  {
    id: 'agree',
    type: 'consent',
    label: 'I have read how my data are used, and agree that they are kept for the time that the law demands.',
    required: true,
    page: 2,
  },
  { id: 'source', type: 'hidden', default: 'site' },
];

export type FormPageOptions = {
  fields?: Field[];
  locale?: string;
  values?: FieldContext['values'];
  step?: number;
  showErrors?: boolean;
  fresh?: boolean;
  brand?: PublicPage['brand'];
  title?: string;
  description?: string;
};

/** Returns the page of a form in progress, as the service renders it. */
export function formDocument({
  fields = everyField,
  locale = 'en',
  values = {},
  step = 1,
  showErrors = false,
  fresh = false,
  ...shown
}: FormPageOptions = {}): PublicPage {
  const { words } = wordsFor(locale);
  const resolved = resolveFields(fields, locale, 'en');
  const form: ShownForm = {
    path: '/f/token',
    operations: '/api/v1/interfaces/public/token',
    title: shown.title ?? 'Ask us about your matter',
    description:
      shown.description ?? 'Tell us what happened. A lawyer looks at it, and answers within two working days. It takes about five minutes.',
    fields: resolved,
    locale,
    version: 1,
    showProgress: true,
  };
  const view: FieldContext = {
    words,
    locale,
    values,
    visible: shownFor(resolved, values, locale),
    errors: showErrors ? onStep(resolved, checkWith(resolved, values, { locale }).errors, step) : [],
    fileNames: new Map([[record, 'Lease agreement, signed.pdf']]),
    records: new Map([['lawyer', [{ id: record, label: 'Dr. Grace Hopper' }]]]),
    searched: new Set(),
    uploads: { maxSizeMb: 20, accept: [] },
  };
  const progress: Progress = { step, key: 'key', fresh };
  return {
    locale,
    title: `${form.title} · Lovelace & Partners`,
    brand: shown.brand ?? { name: 'Lovelace & Partners' },
    path: form.path,
    languages: { locales: ['en', 'de', 'ar', 'ja'], form: true },
    report: '/report',
    body: formView(form, view, progress),
    script: 'page',
  };
}

/** Serves documents by path, with the style sheet and the script of the pages. */
export async function startPreview(documents: Record<string, () => PublicPage>): Promise<{ url: string; stop(): Promise<void> }> {
  const assets = { href: (name: string) => `/assets/${name}` };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (path.startsWith('/assets/')) {
      const isStyle = path.endsWith('.css');
      response.writeHead(200, { 'content-type': isStyle ? 'text/css' : 'text/javascript' });
      response.end(isStyle ? tokens + readFileSync('src/intake/public-pages/public/page.css', 'utf8') : readFileSync('lib/page.js'));
      return;
    }
    const make = documents[path];
    if (!make) {
      response.writeHead(404).end();
      return;
    }
    const { markup, policy } = documentOf(make(), assets);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
    response.end(markup);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
