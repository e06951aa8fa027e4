import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useContext, useMemo } from 'react';
import { serviceAddress } from '../../address.ts';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { dayIn, daysFromNow } from '../../parts/day.ts';
import { pdfTexts } from '../../parts/pdf/texts.ts';
import { usePdf } from '../../parts/pdf/use-pdf.ts';
import { Screen } from '../../parts/screen.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ApiProblem } from '../../problems/api-problem.ts';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { send } from '../../session/send.ts';
import { TimeZone } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './ask.module.css';
import { bodyOf, type ChangeDraft, type RequestDraft, deleteDraft, hasEmail, signs, useDraft } from './draft.ts';
import { Options } from './options.tsx';
import { askTexts } from './texts.ts';
import type { LockedField } from './use-placement.ts';
import { Where } from './where.tsx';
import { Who } from './who.tsx';

const usualDays = 30;
/** The most fields of the template that matter, and no error if the document has no template. */
async function placesOf(id: string): Promise<LockedField[]> {
  const { data, error, response } = await api.GET('/api/v1/smartdoc/documents/{id}/template', { params: { path: { id } } });
  if (response.status === 404) return [];
  if (!response.ok) throw new ApiProblem(response, error);
  return data?.signatureFields ?? [];
}

/** Asks for signatures on a document, on one page. */
export function AskForSignatures(): JSX.Element {
  const words = useTexts(askTexts);
  const { document: id } = useSearch({ from: '/shell/signatures/new' });
  const query = useQuery({
    queryKey: ['document', id, 'to sign'],
    enabled: id !== undefined,
    queryFn: async () => {
      const path = { id: id ?? '' };
      const [document, places] = await Promise.all([
        ok(api.GET('/api/v1/smartdoc/documents/{id}', { params: { path } })),
        placesOf(path.id),
      ]);
      return { document, places: document.currentVersion?.number === 1 ? places : [] };
    },
    // A change of the document must not discard the entries.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (id === undefined)
    return (
      <Screen title={words.title}>
        <Empty
          title={words.noDocument}
          action={
            <Button component={Link} to="/documents">
              {words.toDocuments}
            </Button>
          }
        >
          {words.noDocumentText}
        </Empty>
      </Screen>
    );
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const { document, places } = query.data;
  if (document.currentVersion?.mediaType !== 'application/pdf')
    return (
      <Screen title={words.title}>
        <Empty title={words.notPdf}>{words.notPdfText}</Empty>
      </Screen>
    );
  return <Ask key={id} document={{ id, title: document.title, version: document.currentVersion.number }} places={places} />;
}

type AskProps = { document: { id: string; title: string; version: number }; places: readonly LockedField[] };

function Ask({ document, places }: AskProps): JSX.Element {
  const words = useTexts(askTexts);
  const zone = useContext(TimeZone);
  const names = useMemo(() => [...new Set(places.map(({ signer }) => signer))], [places]);
  // On a narrow screen the pages come last, because they can be long.
  const isNarrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false });
  const [draft, change] = useDraft(document.id, () => startDraft(dayIn(daysFromNow(usualDays), zone)));
  const who = (
    <section key="who" className={styles.part} data-of="who" aria-labelledby="ask-who">
      <h2 id="ask-who">{words.who}</h2>
      <Who draft={draft} change={change} places={names} />
    </section>
  );
  const where = (
    <section key="where" className={styles.part} data-of="where" aria-labelledby="ask-where">
      <h2 id="ask-where">{words.where}</h2>
      <Pages document={document} draft={draft} change={change} places={places} />
    </section>
  );
  const message = (
    <section key="message" className={styles.part} data-of="send" aria-labelledby="ask-send">
      <h2 id="ask-send">{words.send}</h2>
      <Options draft={draft} change={change} title={document.title} />
    </section>
  );
  return (
    <Screen title={words.titleOf(document.title)}>
      <div className={styles.ask}>{isNarrow ? [who, message, where] : [who, where, message]}</div>
      <SendBar document={document} draft={draft} places={places} />
    </Screen>
  );
}

const startDraft = (until: string): RequestDraft => ({
  signers: [],
  inTurn: true,
  fields: [],
  message: '',
  until,
  requireCode: false,
  allowDelegation: false,
  locale: '',
});

/** The pages of the document with the fields. */
function Pages({ document: { id, version }, draft, change, places }: AskProps & { draft: RequestDraft; change: ChangeDraft }): JSX.Element {
  const { failures } = useTexts(pdfTexts);
  const query = useQuery({
    queryKey: ['document', id, 'bytes', version],
    queryFn: async ({ signal }) => {
      const address = `${serviceAddress}/api/v1/smartdoc/documents/${encodeURIComponent(id)}/content?version=${version}`;
      const response = await send(new Request(address, { signal }));
      if (!response.ok) throw new ApiProblem(response, await response.json().catch(() => undefined));
      return new Uint8Array(await response.arrayBuffer());
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const state = usePdf(query.data);
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  if (state.status === 'failed') return <Empty title={failures[state.reason].title}>{failures[state.reason].text}</Empty>;
  if (state.status === 'loading') return <Loading />;
  return <Where file={state.file} draft={draft} change={change} locked={places} />;
}

/** The summary of the request, and the button that sends it. */
function SendBar({ document, draft, places }: AskProps & { draft: RequestDraft }): JSX.Element {
  const words = useTexts(askTexts);
  const zone = useContext(TimeZone);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { run, isBusy, error } = useAction();
  const signing = draft.signers.filter(signs);
  const wrong = draft.signers.find(({ name, email }) => name.trim() === '' || !hasEmail(email));
  const missing =
    signing.length === 0 ? words.needSigner : wrong ? words.needEmail(wrong.name) : draft.until === '' ? words.needDay : undefined;
  const fields = draft.fields.length + places.filter(({ signer }) => signing.some(({ signsAs }) => signsAs === signer)).length;
  const withoutField = signing.filter(
    ({ key, role, signsAs }) =>
      role === 'signer' && !draft.fields.some(({ signer }) => signer === key) && !places.some(({ signer }) => signer === signsAs),
  );
  const ask = () =>
    run(async () => {
      const made = await ok(api.POST('/api/v1/signatures/', { body: bodyOf(document.id, draft, zone) }));
      deleteDraft(document.id);
      await client.invalidateQueries({ queryKey: ['signature'] });
      const requested = made.signers.filter(signs);
      const first = Math.min(...requested.map(({ order }) => order));
      toast(words.sent(requested.filter(({ order }) => order === first).map(({ name }) => name)));
      await navigate({ to: '/signatures/$id', params: { id: made.id } });
    });
  return (
    <div className={styles.bar}>
      {error !== undefined && <ProblemNotice error={error} />}
      <p className="soft" id="ask-summary" aria-live="polite">
        {missing ?? words.summary(signing.length, fields)}
        {missing === undefined && fields > 0 && withoutField.length > 0 && ` ${words.withoutField(withoutField.map(({ name }) => name))}`}
      </p>
      <Button loading={isBusy} disabled={missing !== undefined} aria-describedby="ask-summary" onClick={() => void ask()}>
        {words.sendVerb}
      </Button>
    </div>
  );
}
