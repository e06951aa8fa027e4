import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Chancery, startChancery } from '../harness.ts';
import { plainPdf } from '../plain-pdf.ts';
import { append } from '../signed-pdf.ts';
import { without } from './pinned.ts';
import { openSealedFiles } from './sealed-files.ts';
import { askJava, askPython, withoutJavaJudges } from './tools.ts';

/** The verdict of another tool on one signature. `validation` are validation data and timestamps, `forms` also signatures. */
type Verdict = {
  error?: string;
  intact?: boolean;
  trusted?: boolean;
  changed?: 'none' | 'validation' | 'forms' | 'annotations' | 'other';
  level?: string;
  indication?: string;
  reason?: string;
};
/** The verdicts on one file, by signature. `own` is the response of the service. */
type Judged = { own: any; pyhanko: Verdict[]; dss: Verdict[] };

/** The facts of a signature that the judges must agree about. Document timestamps are no signatures. */
type Facts = { intact: boolean; trusted: boolean; changed: boolean };
const factsOf = ({ own }: Judged): Facts[] =>
  own.signatures
    .filter(({ kind }: any) => kind === 'signature')
    .map(({ reason, covers }: any) => ({
      intact: !['content_changed', 'broken_signature'].includes(reason),
      trusted: reason === undefined,
      changed: covers === 'part',
    }));
const isChanged = ({ changed = 'none' }: Verdict) => changed !== 'none' && changed !== 'validation';

/** The facts about which Chancery and pyHanko disagree on purpose, by the name of the file. */
const differencesToPyhanko: Record<string, (keyof Facts)[]> = {
  // The title of a document is content that a reader sees.
  described: ['changed'],
  // Every byte after the signature that is no validation data counts as a change.
  'comment at the end': ['changed'],
  // A trusted timestamp proves that the certificate was valid. The basic validation of pyHanko asks only for the validity today.
  'expired, with a timestamp of before': ['trusted'],
  // pyHanko accepts each extended key usage by default.
  'for web servers only': ['trusted'],
};
/** The same for DSS. It has a policy that requires revocation data, so only its reasons against a signature are compared. */
const differencesToDss: Record<string, (keyof Facts)[]> = {
  described: ['changed'],
  'comment at the end': ['changed'],
  // Chancery sees the revocation of its own certificates only.
  'revoked, with its list': ['trusted'],
};

describe('signed files', { skip: without('pyhanko') || withoutJavaJudges }, () => {
  let folder: string;
  let chancery: Chancery;
  let anchors: string;
  const foreign = new Map<string, Judged[]>();
  const sealed = new Map<string, Judged>();
  let requests = 0;

  async function verified(file: Uint8Array): Promise<any> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(file)], { type: 'application/pdf' }), 'file.pdf');
    // An address may verify ten files a minute.
    requests += 1;
    const headers = { 'x-forwarded-for': `192.0.2.${Math.ceil(requests / 8)}` };
    const response = await chancery.call('POST', '/api/v1/signatures/verify', { body: form, headers });
    assert.equal(response.status, 200, response.text);
    return response.body;
  }

  async function judge(paths: readonly string[]): Promise<Judged[]> {
    const [pyhanko, dss] = await Promise.all([
      askPython('pyhanko', 'pyhanko_judge.py', [anchors, ...paths]),
      askJava('Dss.java', [anchors, ...paths]),
    ]);
    assert.deepEqual([pyhanko.length, dss.length], [paths.length, paths.length]);
    const judged: Judged[] = [];
    for (const [at, path] of paths.entries())
      judged.push({
        own: await verified(await readFile(path)),
        pyhanko: JSON.parse(pyhanko[at] ?? ''),
        dss: JSON.parse(dss[at] ?? ''),
      });
    return judged;
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chancery-signed-'));
    anchors = join(folder, 'anchors.pem');
    const files = await openSealedFiles();
    try {
      const letter = plainPdf(['The first page', 'The second page']);
      const { pdf } = await files.typesetter.typeset({ files: { 'main.typ': '#set document(title: "A")\n= Heading' }, data: {} });
      const seals: Record<string, Buffer> = {};
      for (const level of ['B-B', 'B-T', 'B-LT'] as const)
        for (const [kind, base] of Object.entries({ letter, archive: pdf })) seals[`${level} ${kind}`] = await files.seal(base, { level });
      const seal = seals['B-T letter'] ?? Buffer.alloc(0);
      const broken = Buffer.from(seal);
      broken[letter.indexOf('The first')]! ^= 1;
      seals.broken = broken;
      seals.annotated = append(seal, { 90: '<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(no)>>' });
      const bases = { 'letter.base': letter, 'archive.base': pdf };
      await Promise.all(Object.entries(bases).map(([name, base]) => writeFile(join(folder, name), base)));
      const names = await askPython('pyhanko', 'foreign_files.py', [folder, ...Object.keys(bases).map((name) => join(folder, name))]);
      await writeFile(anchors, `${await readFile(anchors, 'utf8')}${files.anchors}`);
      chancery = await startChancery({ role: 'api', settings: { VERIFY_TRUST: anchors, TRUSTED_PROXIES: '127.0.0.1' } });
      const made = Object.entries(seals).map(([name, file]) => ({ name, file, path: join(folder, `${name}.pdf`) }));
      await Promise.all(made.map(({ path, file }) => writeFile(path, file)));
      const paths = names.map((_, at) => join(folder, `${String(at).padStart(3, '0')}.pdf`));
      const judged = await judge([...made.map(({ path }) => path), ...paths]);
      made.forEach(({ name }, at) => sealed.set(name, judged[at]!));
      names.forEach((name, at) => foreign.set(name, [...(foreign.get(name) ?? []), judged[made.length + at]!]));
    } finally {
      await files.close();
    }
  });
  after(async () => {
    await chancery?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('of each level are valid for the service, pyHanko and DSS', () => {
    for (const level of ['B-B', 'B-T', 'B-LT'])
      for (const kind of ['letter', 'archive']) {
        const { own, pyhanko, dss } = sealed.get(`${level} ${kind}`)!;
        assert.equal(own.status, 'valid', level);
        const changed = level === 'B-LT' ? 'validation' : 'none';
        assert.deepEqual(
          [pyhanko, dss].map(([one]) => [one?.intact, one?.trusted, one?.changed]),
          [
            [true, true, changed],
            [true, true, changed],
          ],
          `${level} ${kind}`,
        );
        assert.equal(dss[0]?.level, `PAdES-BASELINE-${level.slice(2)}`);
        if (level === 'B-LT') assert.equal(dss[0]?.indication, 'TOTAL_PASSED');
      }
  });

  test('that changed are invalid for the service, pyHanko and DSS', () => {
    const broken = sealed.get('broken')!;
    assert.deepEqual([broken.own.reason, broken.pyhanko[0]?.intact, broken.dss[0]?.intact], ['content_changed', false, false]);
    const annotated = sealed.get('annotated')!;
    assert.equal(annotated.own.reason, 'added_after_signing');
  });

  test('that pyHanko makes have the same verdict from pyHanko, except for known differences', () => {
    assert.ok(foreign.size >= 55, String(foreign.size));
    for (const [name, files] of foreign)
      for (const judged of files) {
        const facts = factsOf(judged);
        // A file that pyHanko cannot read is not intact.
        if (judged.pyhanko[0]?.error !== undefined) {
          assert.deepEqual([name, facts.every(({ intact }) => !intact)], [name, true]);
          continue;
        }
        const known = differencesToPyhanko[name] ?? [];
        assert.deepEqual(
          judged.pyhanko.map((one, at) => differences(facts[at], { ...one, changed: isChanged(one) })),
          judged.pyhanko.map((_, at) => (at === 0 ? known : [])),
          `${name}: ${JSON.stringify(judged)}`,
        );
      }
  });

  test('that pyHanko makes have no other verdict from DSS, except for known differences', () => {
    for (const [name, files] of foreign)
      for (const judged of files) {
        const facts = factsOf(judged);
        if (judged.dss[0]?.error !== undefined) {
          assert.deepEqual([name, facts.every(({ intact }) => !intact)], [name, true]);
          continue;
        }
        const known = differencesToDss[name] ?? [];
        assert.deepEqual(
          judged.dss.map((one, at) => {
            const { trusted, intact } = facts[at] ?? {};
            const isAgainst =
              one.trusted === false || /REVOKED|FAILURE$/.test(one.reason?.replace('CERTIFICATE_CHAIN_GENERAL_FAILURE', '') ?? '');
            const believed = one.indication === 'TOTAL_PASSED' ? true : isAgainst && intact === true ? false : trusted === true;
            return differences(facts[at], { intact: one.intact, trusted: believed, changed: isChanged(one) });
          }),
          judged.dss.map((_, at) => (at === 0 ? known : [])),
          `${name}: ${JSON.stringify(judged)}`,
        );
      }
  });
});

/** Returns the facts that differ. Without integrity, nothing else counts. */
function differences(
  facts: Facts | undefined,
  other: { intact?: boolean | undefined; trusted?: boolean | undefined; changed: boolean },
): string[] {
  if (!facts) return ['missing'];
  if (!facts.intact && other.intact === false) return [];
  return (['intact', 'trusted', 'changed'] as const).filter((fact) => facts[fact] !== other[fact]);
}
