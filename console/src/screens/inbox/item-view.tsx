import { Button, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { useState } from 'react';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Name } from '../../parts/name.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { wordsOf } from '../task/call.ts';
import styles from './inbox.module.css';
import { signingAddress, useRequests } from './requests.ts';
import { inboxTexts } from './texts.ts';

export type ItemKind = 'booking' | 'record' | 'delivery' | 'signature';
type ItemProps = { parent: string; id: string; done: () => void };

/** An item that is no task, with what can be done. `waiting`: a signature request of the person. */
export function ItemView({ kind, ...item }: ItemProps & { kind: string }): JSX.Element {
  const View = views[kind] ?? SignatureItem;
  return <View {...item} />;
}

const views: Readonly<Record<string, (props: ItemProps) => JSX.Element>> = {
  booking: BookingItem,
  record: RecordItem,
  delivery: DeliveryItem,
  waiting: WaitingItem,
};

function Fact({ label, children }: { label: string; children: ReactNode }): JSX.Element {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function BookingItem({ parent, id, done }: ItemProps): JSX.Element {
  const words = useTexts(inboxTexts);
  const { confirmBooking, declineBooking } = useRequests(done);
  const { error, isBusy, run } = useAction();
  const query = useQuery({
    queryKey: ['booking', id],
    queryFn: () => ok(api.GET('/api/v1/interfaces/{id}/bookings/{bookingId}', { params: { path: { id: parent, bookingId: id } } })),
  });
  if (query.isPending) return <Loading rows={4} />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const { name = '', email, start, requestedStart, status } = query.data;
  const isOpen = status === 'pending' || requestedStart !== undefined;
  return (
    <div className={styles.item}>
      <h2>{name === '' ? email : name}</h2>
      <dl className={styles.facts}>
        <Fact label={words.when}>
          <Time at={start} exact />
        </Fact>
        {requestedStart !== undefined && (
          <Fact label={words.moved}>
            <Time at={requestedStart} exact />
          </Fact>
        )}
        <Fact label={words.visitor}>
          {name} {email !== undefined && <span className="soft">{email}</span>}
        </Fact>
        <Fact label={words.form}>
          <Name id={parent} />
        </Fact>
      </dl>
      {error !== undefined && <ProblemNotice error={error} />}
      {isOpen && (
        <div className={styles.choices}>
          <Button loading={isBusy} onClick={() => void run(() => confirmBooking({ parent, id }))}>
            {words.confirm}
          </Button>
          <Refuse label={words.decline} title={words.declineTitle} text={words.declineText(name)} reason={words.reason}>
            {(reason) => declineBooking({ parent, id }, reason)}
          </Refuse>
        </div>
      )}
    </div>
  );
}

function RecordItem({ parent, id, done }: ItemProps): JSX.Element {
  const words = useTexts(inboxTexts);
  const { approveRecord, declineRecord } = useRequests(done);
  const { error, isBusy, run } = useAction();
  const query = useQuery({
    queryKey: ['registry', id, 'record'],
    queryFn: () => ok(api.GET('/api/v1/registries/{typeId}/records/{id}', { params: { path: { typeId: parent, id } } })),
  });
  if (query.isPending) return <Loading rows={4} />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const { data, status, createdBy, createdAt } = query.data;
  return (
    <div className={styles.item}>
      <h2>
        <Name id={parent} />
      </h2>
      <p className="soft">
        {createdBy !== undefined && <Name id={createdBy} />} <Time at={createdAt} />
      </p>
      <dl className={styles.data}>
        {Object.entries(data).map(([name, value]) => (
          <Fact key={name} label={wordsOf(name)}>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Fact>
        ))}
      </dl>
      {error !== undefined && <ProblemNotice error={error} />}
      {status === 'pending' && (
        <div className={styles.choices}>
          <Button loading={isBusy} onClick={() => void run(() => approveRecord({ parent, id }))}>
            {words.approve}
          </Button>
          <Refuse label={words.discard} title={words.discardTitle} text={words.discardText}>
            {() => declineRecord({ parent, id })}
          </Refuse>
        </div>
      )}
    </div>
  );
}

function DeliveryItem({ parent, id, done }: ItemProps): JSX.Element {
  const words = useTexts(inboxTexts);
  const { retryDelivery } = useRequests(done);
  const { error, isBusy, run } = useAction();
  const path = { id: parent, deliveryId: id };
  const query = useQuery({
    queryKey: ['webhook', id],
    queryFn: () => ok(api.GET('/api/v1/webhooks/{id}/deliveries/{deliveryId}', { params: { path } })),
  });
  if (query.isPending) return <Loading rows={4} />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const { eventType, attempts, error: reason, responseStatus, lastAttemptAt, status } = query.data;
  return (
    <div className={styles.item}>
      <dl className={styles.facts}>
        <Fact label={words.event}>{eventType}</Fact>
        <Fact label={words.attempts}>
          {attempts} {lastAttemptAt !== undefined && <Time at={lastAttemptAt} />}
        </Fact>
        <Fact label={words.error}>{[responseStatus, reason].filter((one) => one !== undefined).join(' · ')}</Fact>
      </dl>
      {error !== undefined && <ProblemNotice error={error} />}
      {status === 'failed' && (
        <div className={styles.choices}>
          <Button loading={isBusy} onClick={() => void run(() => retryDelivery({ parent, id }))}>
            {words.retry}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The signature that the person is asked for. The inbox has all that a signer may know before the signing page. */
function SignatureItem({ id }: ItemProps): JSX.Element {
  const words = useTexts(inboxTexts);
  const common = useTexts(commonTexts);
  const query = useQuery({
    queryKey: ['inbox', 'item', id],
    queryFn: async () => {
      const { items } = await ok(api.GET('/api/v1/inbox', { params: { query: { kind: ['signature'], limit: 500 } } }));
      return items.find((item) => item.id === id) ?? null;
    },
  });
  if (query.isPending) return <Loading rows={3} />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  if (query.data === null) return <Empty title={common.missing.title}>{common.missing.text}</Empty>;
  const { title, dueAt } = query.data;
  return (
    <div className={styles.item}>
      <h2>{title}</h2>
      {dueAt !== undefined && (
        <dl className={styles.facts}>
          <Fact label={words.until}>
            <Time at={dueAt} exact />
          </Fact>
        </dl>
      )}
      <p>{words.signText}</p>
      <div className={styles.choices}>
        <Button component="a" href={signingAddress(id)}>
          {words.sign}
        </Button>
      </div>
    </div>
  );
}

function WaitingItem({ id }: ItemProps): JSX.Element {
  const words = useTexts(inboxTexts);
  const { openPage } = useTexts(commonTexts);
  const { remind } = useRequests();
  const { error, isBusy, run } = useAction();
  const query = useQuery({
    queryKey: ['signature', id],
    queryFn: () => ok(api.GET('/api/v1/signatures/{id}', { params: { path: { id } } })),
  });
  if (query.isPending) return <Loading rows={4} />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const { title, status, signers, expiresAt } = query.data;
  const page: string = `/signatures/${id}`;
  return (
    <div className={styles.item}>
      <h2>{title}</h2>
      <p>
        <Status of="signature" status={status} /> {words.until} <Time at={expiresAt} exact />
      </p>
      <dl className={styles.data}>
        {signers.map((signer) => (
          <Fact key={signer.id} label={signer.name}>
            <SignerState signer={signer} />
          </Fact>
        ))}
      </dl>
      {error !== undefined && <ProblemNotice error={error} />}
      <div className={styles.choices}>
        {status === 'pending' && (
          <Button variant="default" loading={isBusy} onClick={() => void run(() => remind(id))}>
            {words.remind}
          </Button>
        )}
        <Link to={page}>{openPage}</Link>
      </div>
    </div>
  );
}

function SignerState({
  signer: { status, signedAt, viewedAt },
}: {
  signer: { status: string; signedAt?: string; viewedAt?: string };
}): JSX.Element {
  const { signers }: { signers: Readonly<Record<string, string>> } = useTexts(inboxTexts);
  const at = signedAt ?? viewedAt;
  return (
    <>
      {signers[status] ?? status} {at !== undefined && <Time at={at} />}
    </>
  );
}

type RefuseProps = { label: string; title: string; text: string; reason?: string; children: (reason: string) => Promise<void> };

/** A button for a refusal, which a dialog explains first. */
function Refuse({ label, title, text, reason: reasonLabel, children: refuse }: RefuseProps): JSX.Element {
  const common = useTexts(commonTexts);
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const { error, isBusy, run } = useAction();
  return (
    <>
      <Button variant="outline" color="red" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} close={() => setOpen(false)}>
        <div className={styles.item}>
          <p>{text}</p>
          {reasonLabel !== undefined && (
            <Textarea
              data-autofocus
              label={reasonLabel}
              resize="vertical"
              rows={2}
              maxLength={2_000}
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
          )}
          {error !== undefined && <ProblemNotice error={error} />}
          <div className={styles.choices}>
            <Button color="red" loading={isBusy} onClick={() => void run(() => refuse(reason.trim()))}>
              {label}
            </Button>
            <Button variant="default" onClick={() => setOpen(false)}>
              {common.cancel}
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
