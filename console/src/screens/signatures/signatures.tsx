import { Button, Checkbox } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Icon } from '../../parts/icons.tsx';
import { List, type ListColumn } from '../../parts/list.tsx';
import { tabsClass } from '../../parts/page-tabs.tsx';
import { Peek, usePeek } from '../../parts/peek.tsx';
import { Screen } from '../../parts/screen.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Empty } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { currentSigners, lastEmailOf, type ListedRequest, obstacleOf, readRequests } from './request-data.ts';
import { RequestPeek } from './request.tsx';
import { type RequestSearch, type RequestTab, requestTabs } from './routes.ts';
import { SignerStates } from './signer-states.tsx';
import styles from './signatures.module.css';
import { signatureTexts } from './texts.ts';

/** The signature requests that the person can see, in tabs by their state. */
export function Signatures(): JSX.Element {
  const { signatures: title } = useTexts(commonTexts);
  const words = useTexts(signatureTexts);
  const navigate = useNavigate();
  const claims = useClaims();
  const { peek } = usePeek();
  const { tab = 'waiting', q, mine } = useSearch({ from: '/shell/signatures' });
  const show = (change: RequestSearch) =>
    void navigate({ to: '/signatures', search: { tab, q, mine, ...change }, replace: true, resetScroll: false });
  const mayAsk = claims.scopes.has('signatures:write') && claims.role !== 'viewer' && claims.role !== 'auditor';
  const ask = mayAsk && (
    <Button component={Link} to="/documents" variant="default" leftSection={<Icon name="document" />}>
      {words.chooseDocument}
    </Button>
  );
  return (
    <Screen title={title} actions={ask}>
      <div className={styles.filters}>
        <nav className={tabsClass} aria-label={words.show}>
          {requestTabs.map((one) => (
            <Link key={one} to="/signatures" search={{ tab: one, q, mine }} aria-current={one === tab ? 'page' : undefined} replace>
              {words.tabs[one]}
            </Link>
          ))}
        </nav>
        <SearchField label={words.search} />
        <Checkbox
          label={words.mine}
          checked={mine === true}
          onChange={({ currentTarget: { checked } }) => show({ mine: checked ? true : undefined })}
        />
      </div>
      <List
        key={`${tab} ${q} ${mine}`}
        label={title}
        queryKey={['signature', 'list', tab, q, mine]}
        read={(cursor) => readRequests({ tab, q, mine }, cursor)}
        to={({ id }) => `/signatures/${id}`}
        title={(request) => request.title}
        peeks
        columns={useColumns(tab)}
        empty={
          <Empty title={q === undefined ? words.none[tab] : words.noneFound}>
            {q === undefined ? words.noneText[tab] : words.noneFoundText}
          </Empty>
        }
      />
      <Peek label={words.preview}>{peek !== undefined && <RequestPeek key={peek} id={peek} />}</Peek>
    </Screen>
  );
}

function useColumns(tab: RequestTab): ListColumn<ListedRequest>[] {
  const words = useTexts(signatureTexts);
  const waitsFor = (request: ListedRequest) =>
    words.waitsFor(
      request.status,
      currentSigners(request).map(({ name }) => name),
    );
  const reason = (request: ListedRequest) => {
    const obstacle = obstacleOf(request);
    return obstacle === undefined ? '' : words.obstacles[obstacle].short;
  };
  const state = tab === 'stalled' ? reason : waitsFor;
  const document: ListColumn<ListedRequest> = {
    header: words.document,
    cell: (request) => (
      <>
        {request.title}
        {(tab === 'waiting' || tab === 'stalled') && <span className={styles.second}>{state(request)}</span>}
      </>
    ),
  };
  const signers: ListColumn<ListedRequest> = {
    header: words.signers,
    cell: (request) => <SignerStates signers={request.signers} />,
    wide: true,
  };
  if (tab === 'done')
    return [
      document,
      signers,
      { header: words.signedAt, cell: ({ completedAt }) => completedAt && <Time at={completedAt} />, narrow: true },
    ];
  if (tab === 'ended')
    return [
      document,
      signers,
      { header: words.how, cell: ({ status }) => <Status of="signature" status={status} />, narrow: true },
      { header: words.endedAt, cell: ({ endedAt }) => endedAt && <Time at={endedAt} />, narrow: true, wide: true },
    ];
  return [
    document,
    signers,
    { header: tab === 'stalled' ? words.reason : words.waits, cell: state, wide: true },
    { header: words.until, cell: ({ expiresAt }) => <Time at={expiresAt} />, narrow: true, wide: true },
    {
      header: words.lastMail,
      cell: (request) => {
        const at = lastEmailOf(request);
        return at === undefined ? <span className="soft">{words.noMail}</span> : <Time at={at} />;
      },
      narrow: true,
    },
  ];
}
