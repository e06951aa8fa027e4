import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { after, test } from 'node:test';
import { askTool, declaredStandard, textOf, withoutPdfTools } from '../../../test/pdf.ts';
import { createTypesetter, type Manuscript, TypesettingError, type Typesetter } from './typesetter.ts';

const said: unknown[] = [];
const log = { warn: (entry: unknown) => void said.push(entry) };
/** The elapsed time limit is so long that a busy machine reaches another limit first. */
const open = (limits = {}): Typesetter => createTypesetter({ log, workers: 1, limits: { wallSeconds: 600, ...limits } });
const typesetter = open();
after(() => typesetter.close());

const head = `#let data = json(bytes(sys.inputs.data))
#set text(font: json(bytes(sys.inputs.fonts)).und)
`;
const saying = (text: string): Manuscript => ({ files: { 'main.typ': `${head}#data.text` }, data: { text } });
const template = (source: string, more: Manuscript['files'] = {}): Manuscript => ({ files: { 'main.typ': source, ...more }, data: {} });
const refused = (reason: TypesettingError['reason'], message: RegExp) => (error: unknown) =>
  error instanceof TypesettingError && error.reason === reason && message.test(error.message);

test('a document is PDF/A-2a, or 3a with attachments', async () => {
  const { pdf, pages } = await typesetter.typeset(saying('Hello'));
  assert.equal(pages, 1);
  assert.equal(declaredStandard(pdf), 'PDF/A-2a');
  const { pdf: other } = await typesetter.typeset({ ...saying('Hello'), standard: 'a-3a' });
  assert.equal(declaredStandard(other), 'PDF/A-3a');
});

test('the same manuscript gives the same bytes', async () => {
  const dated = template('#set document(date: datetime(year: 2026, month: 2, day: 28))\nHello');
  const [one, two] = [await typesetter.typeset(dated), await typesetter.typeset(dated)];
  assert.deepEqual(one.pdf, two.pdf);
});

test('values are data, even if they look like markup', { skip: withoutPdfTools }, async () => {
  const text = '*bold* #panic("x") $x$ @reference <label> `raw` = heading #import "@preview/a:1.0.0" \\ "]} end';
  assert.equal(
    textOf((await typesetter.typeset(saying(text))).pdf)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    text,
  );
});

test(
  'texts in many scripts are extracted unchanged, and a character without a font is replaced by its name',
  { skip: withoutPdfTools },
  async () => {
    const samples = [
      'Zoë Łódź Ελληνικά Привіт Việt',
      '日本語のテキスト',
      '简体中文與繁體',
      '한국어 텍스트',
      'مرحبا بالعالم للاختبار پژوهش گچ',
      'שלום עולם',
      'नमस्ते',
      'สวัสดี',
      'வணக்கம்',
      'გამარჯობა',
      'Բարեւ',
      'ሰላም',
      '😀 ☂',
    ];
    const { pdf } = await typesetter.typeset({ files: { 'main.typ': `${head}#for one in data [#one\\ ]` }, data: samples });
    const found = textOf(pdf);
    for (const sample of samples) for (const word of sample.split(' ')) assert.ok(found.includes(word), `${word} in ${found}`);
    const odd = textOf((await typesetter.typeset(saying('a𓀀b\u{e000}c\u{202e}d\u{7}e\ud800f\u{fdd0}'))).pdf);
    assert.match(odd, /aU\+13000bU\+E000cU\+202EdU\+0007e\ufffdfU\+FDD0/);
  },
);

test('a character without a font for its context is replaced by its name', { skip: withoutPdfTools }, async () => {
  // Each of these characters is in some font, and no font has all of them.
  const { pdf } = await typesetter.typeset(saying('x\u{0e31}\u{064b}\u{0b82}\u{3099} ok'));
  assert.match(textOf(pdf), /ok/);
});

test('an error of a template has its position', async () => {
  await assert.rejects(typesetter.typeset(template('Hello\n#let x = \n')), refused('template', /^main\.typ:\d: expected expression/));
  await assert.rejects(typesetter.typeset(template('#panic("no")')), refused('template', /panicked with: "no"/));
});

test('a template can read only its own files', async () => {
  const made = await typesetter.typeset(template('#import "parts/a.typ": a\n#a', { 'parts/a.typ': '#let a = [part]' }));
  assert.equal(made.pages, 1);
  await assert.rejects(typesetter.typeset(template('#import "parts/a.typ": a\n#a')), refused('template', /file not found/));
  for (const path of ['/etc/passwd', '../../etc/passwd', '/proc/self/environ', `${import.meta.dirname}/worker.ts`]) {
    await assert.rejects(typesetter.typeset(template(`#read("${path}")`)), refused('template', /file not found|access denied/), path);
  }
  for (const path of ['../a', '/a', 'a/../../b', 'a//b', '.', 'a\\b', '']) {
    await assert.rejects(typesetter.typeset(template('x', { [path]: 'x' })), TypeError, path);
  }
});

test('a template cannot fetch packages, even if the service uses a proxy', async (t) => {
  const requests: string[] = [];
  const proxy = createServer((request) => void requests.push(request.url ?? ''));
  proxy.on('connect', (request, socket) => {
    requests.push(request.url ?? '');
    socket.end();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const before = { ...process.env };
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']) process.env[name] = address;
  const own = open();
  t.after(async () => {
    process.env = before;
    await own.close();
    proxy.close();
  });
  for (const name of ['"@preview/cetz:0.3.1"', '"@pre" + "view/cetz:0.3.1"', '"@local/x:1.0.0"']) {
    await assert.rejects(own.typeset(template(`#import ${name}: *\nx`)), refused('template', /package/));
  }
  assert.deepEqual(requests, []);
});

test('a document above the limit of time, memory or pages is stopped, and the next one works', async (t) => {
  const strict = open({ cpuSeconds: 1, pages: 20 });
  const patient = open({ cpuSeconds: 60, pages: 20 });
  t.after(() => Promise.all([strict.close(), patient.close()]));
  const endless = '#let n = 0\n#for a in range(10000) { for b in range(10000) { n += 1 } }\n#n';
  const huge = '#let s = "x" * 1000000\n#let l = ()\n#for i in range(2000) { l.push(s + str(i)) }\n#l.len()';
  await assert.rejects(strict.typeset(template(endless)), refused('time', /longer than 1 s/));
  await assert.rejects(patient.typeset(template(huge)), refused('memory', /more than 256 MB/));
  await assert.rejects(patient.typeset(template('#for i in range(20) [#pagebreak()]')), refused('pages', /21 pages\. The maximum is 20/));
  for (const one of [strict, patient]) assert.equal((await one.typeset(saying('next'))).pages, 1);
  assert.deepEqual(said, [], 'a limit is not logged');
});

/** Returns the typesetting processes of this process. */
const workersNow = (): number[] => {
  try {
    const found = execFileSync('pgrep', ['-P', String(process.pid), '-f', 'typesetting/worker\\.mjs'], {
      encoding: 'utf8',
    });
    return found.trim().split('\n').map(Number);
  } catch {
    return [];
  }
};

test('a killed worker fails only its document, and an aborted one is ended', async (t) => {
  const own = open();
  t.after(() => own.close());
  const others = new Set(workersNow());
  await own.typeset(saying('first'));
  const worker = workersNow().find((pid) => !others.has(pid));
  assert.ok(worker);
  const endless = template('#let n = 0\n#for a in range(10000) { for b in range(10000) { n += 1 } }\n#n');
  const lost = assert.rejects(own.typeset(endless), refused('crashed', /ended/));
  const behind = own.typeset(saying('behind'));
  process.kill(worker, 'SIGKILL');
  await lost;
  assert.equal((await behind).pages, 1);
  assert.equal(said.length, 1);

  const given = new AbortController();
  const aborted = assert.rejects(own.typeset(endless, given.signal), /enough/);
  const waited = own.typeset(saying('waited'));
  given.abort(new Error('enough'));
  await aborted;
  assert.equal((await waited).pages, 1, 'a waiting document is not lost');
});

test('the number of waiting documents is limited', async (t) => {
  const own = open();
  t.after(() => own.close());
  const requests = Array.from({ length: 210 }, () =>
    own.typeset(saying('x')).then(
      () => 'made',
      (error: TypesettingError) => error.reason,
    ),
  );
  const made = Map.groupBy(await Promise.all(requests), (what) => what);
  assert.equal(made.get('made')?.length, 200);
  assert.equal(made.get('busy')?.length, 10);
});

test('a document with many pages passes the check of another tool', { skip: withoutPdfTools }, async () => {
  const { pdf, pages } = await typesetter.typeset(
    template('#set document(title: "Many")\n#for i in range(200) [= Page #i\n#pagebreak(weak: true)]'),
  );
  assert.equal(pages, 200);
  assert.match(askTool(pdf, 'qpdf', '--check', 'PDF'), /No syntax or stream encoding errors/);
});

test('a confined typesetter uses a new process for each document, which also validates the values and ends at the limit', async () => {
  const confined = createTypesetter({ log, workers: 1, confined: true, limits: { cpuSeconds: 1 } });
  const $defs: Record<string, unknown> = { d40: { type: 'object' } };
  for (let n = 0; n < 40; n += 1) $defs[`d${n}`] = { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] };
  const endless = template('#for a in range(9999) { for b in range(9999) { for c in range(9999) { let x = a * b * c } } }');
  try {
    await assert.rejects(
      confined.typeset({ ...template('Hi'), schema: JSON.stringify({ $defs, $ref: '#/$defs/d0' }) }),
      refused('time', /1 s/),
    );
    await assert.rejects(confined.typeset(endless), refused('time', /1 s/));
    const fitting = { ...saying('aaa'), schema: JSON.stringify({ properties: { text: { pattern: '^(a+)+$' }, none: { pattern: 'b' } } }) };
    assert.equal((await confined.typeset(fitting)).pages, 1);
    await assert.rejects(
      confined.typeset({ ...fitting, data: { text: `${'a'.repeat(5_000)}!`, none: 'b' } }),
      refused('data', /do not match/),
    );
  } finally {
    await confined.close();
  }
});

test('an invalid schema is rejected, and a known schema is not validated again', async () => {
  const odd = { ...saying('aaa'), schema: JSON.stringify({ title: 5, required: ['text'] }) };
  await assert.rejects(typesetter.typeset(odd), refused('schema', /invalid or not supported/));
  assert.equal((await typesetter.typeset({ ...odd, schemaKnown: true })).pages, 1);
  await assert.rejects(typesetter.typeset({ ...odd, schemaKnown: true, data: {} }), refused('data', /do not match/));
});
