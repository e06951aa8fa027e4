import { Link, useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Name } from '../../parts/name.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import type { Versioned } from '../../api.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { RequestActions } from './actions.tsx';
import { RequestFiles } from './files.tsx';
import { currentSigners, isLive, obstacleOf, type Request, useRequest } from './request-data.ts';
import { SignerList } from './signer-list.tsx';
import styles from './signatures.module.css';
import { signatureTexts } from './texts.ts';
import { Timeline } from './timeline.tsx';

/** The page of a signature request. */
export function RequestPage(): JSX.Element {
  const { id = '' } = useParams({ strict: false });
  const query = useRequest(id);
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return (
    <Screen title={query.data.data.title}>
      <RequestView request={query.data} />
    </Screen>
  );
}

/** A signature request in the side panel. */
export function RequestPeek({ id }: { id: string }): JSX.Element {
  const { openPage } = useTexts(commonTexts);
  const query = useRequest(id);
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return (
    <div className={styles.panel}>
      <h2 className={styles.panelTitle}>{query.data.data.title}</h2>
      <Link to="/signatures/$id" params={{ id }}>
        {openPage}
      </Link>
      <RequestView request={query.data} />
    </div>
  );
}

function RequestView({ request }: { request: Versioned<Request> }): JSX.Element {
  const words = useTexts(signatureTexts);
  const { data } = request;
  return (
    <div className={styles.request}>
      <Summary request={data} />
      <RequestActions request={request} />
      <Timeline request={data} />
      <Section title={words.signers}>
        <SignerList request={data} />
      </Section>
      {data.message !== undefined && (
        <Section title={words.message}>
          <p className={styles.message}>{data.message}</p>
        </Section>
      )}
      <Section title={words.files}>
        <RequestFiles request={data} />
      </Section>
    </div>
  );
}

/** The state of the request, with the reason if it is stalled. */
function Summary({ request }: { request: Request }): JSX.Element {
  const words = useTexts(signatureTexts);
  const obstacle = obstacleOf(request);
  const ended = request.completedAt ?? request.endedAt;
  return (
    <>
      <p className={styles.summary}>
        <Status of="signature" status={request.status} />
        {isLive(request) && obstacle === undefined && (
          <span>
            {words.waitingFor(
              request.status,
              currentSigners(request).map(({ name }) => name),
            )}
          </span>
        )}
        {isLive(request) && (
          <span>
            {words.validUntil} <Time at={request.expiresAt} exact />
          </span>
        )}
        {ended !== undefined && <Time at={ended} exact />}
        <span className="soft">
          {words.requestedBy} <Name id={request.requestedBy} />
        </span>
      </p>
      {obstacle !== undefined && (
        <div className={styles.obstacle} role="note">
          <p>
            <strong>{words.obstacles[obstacle].short}</strong>
          </p>
          <p>{words.obstacles[obstacle].long}</p>
          {request.status === 'failed' && request.error !== undefined && (
            <details>
              <summary>{words.technical}</summary>
              <p>{request.error}</p>
            </details>
          )}
        </div>
      )}
      {request.paused && <p className={styles.obstacle}>{words.paused}</p>}
      {request.endReason !== undefined && (
        <p className={styles.reason}>
          <span className="soft">{words.reasonGiven}</span> {request.endReason}
        </p>
      )}
    </>
  );
}
