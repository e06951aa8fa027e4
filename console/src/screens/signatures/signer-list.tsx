import { Button, TextInput } from '@mantine/core';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, versioned } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { ActionForm, Dialog } from '../../parts/dialog.tsx';
import { fieldsOf } from '../../parts/fields.ts';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { useTexts } from '../../texts/texts.ts';
import { currentSigners, isUnreachable, type Request, type Signer, useRequestUpdate } from './request-data.ts';
import styles from './signatures.module.css';
import { signatureTexts } from './texts.ts';

/** The signers of a request, in their order, with what each can need. */
export function SignerList({ request }: { request: Request }): JSX.Element {
  const hasTurns = new Set(request.signers.map(({ order }) => order)).size > 1;
  return (
    <ol className={styles.signerList}>
      {request.signers.map((signer) => (
        <SignerRow key={signer.id} request={request} signer={signer} hasTurns={hasTurns} />
      ))}
    </ol>
  );
}

function SignerRow({ request, signer, hasTurns }: { request: Request; signer: Signer; hasTurns: boolean }): JSX.Element {
  const words = useTexts(signatureTexts);
  const { name, email, order, role, status, delegatedFrom, declineReason } = signer;
  const ended = signer.signedAt ?? signer.declinedAt;
  return (
    <li className={styles.signerRow}>
      <div className={styles.signerFacts}>
        <p>
          {hasTurns && <span className={styles.turn}>{order}</span>}
          <strong>{name}</strong> <span className="soft">{email}</span>
        </p>
        <p>
          <span className={styles.state} data-state={status}>
            {role === 'copy' ? words.roles.copy : words.states[status]}
          </span>
          {role === 'approver' && <span className="soft"> · {words.roles.approver}</span>}
          {ended !== undefined && (
            <span className="soft">
              {' '}
              · <Time at={ended} exact />
            </span>
          )}
        </p>
        {delegatedFrom && <p className="soft">{words.delegatedFrom(delegatedFrom.name)}</p>}
        {declineReason !== undefined && (
          <p>
            <span className="soft">{words.reasonGiven}</span> {declineReason}
          </p>
        )}
        {request.status === 'pending' && <MailState signer={signer} />}
      </div>
      {request.status === 'pending' && request.suspended === undefined && <SignerActions request={request} signer={signer} />}
    </li>
  );
}

/** When the signer got the last email, and why it did not arrive. */
function MailState({ signer }: { signer: Signer }): JSX.Element | null {
  const words = useTexts(signatureTexts);
  const { lastEmailAt, nextReminderAt, undeliverable } = signer;
  return (
    <>
      {lastEmailAt !== undefined && (
        <p className="soft">
          {words.lastMail}: <Time at={lastEmailAt} />
          {nextReminderAt !== undefined && (
            <>
              {' · '}
              {words.nextReminder}: <Time at={nextReminderAt} />
            </>
          )}
        </p>
      )}
      {isUnreachable(signer) && (
        <div className={styles.obstacle} role="note">
          <p>
            <strong>{words.unreachable}</strong> {words.unreachableText}
          </p>
          {undeliverable !== undefined && (
            <details>
              <summary>{words.technical}</summary>
              <p>{`${undeliverable.status} ${undeliverable.diagnostic}`}</p>
            </details>
          )}
        </div>
      )}
    </>
  );
}

function SignerActions({ request, signer }: { request: Request; signer: Signer }): JSX.Element {
  const words = useTexts(signatureTexts);
  const update = useRequestUpdate();
  const [isOpen, setOpen] = useState(false);
  const { run, isBusy, error } = useAction();
  const path = { id: request.id, signerId: signer.id };
  const isCurrent = currentSigners(request).some(({ id }) => id === signer.id);
  const resend = () =>
    run(async () => {
      await update(await versioned(api.POST('/api/v1/signatures/{id}/signers/{signerId}/resend', { params: { path } })));
      toast(words.resent(signer.name));
    });
  const mayCorrect = signer.status === 'waiting' || signer.status === 'pending';
  return (
    <div className={styles.signerActions}>
      {isCurrent && (
        <Button variant="default" size="xs" loading={isBusy} aria-label={words.resendTo(signer.name)} onClick={() => void resend()}>
          {words.resend}
        </Button>
      )}
      {mayCorrect && (
        <Button variant="subtle" size="xs" aria-label={words.correctOf(signer.name)} onClick={() => setOpen(true)}>
          {words.correct}
        </Button>
      )}
      {error !== undefined && <ProblemNotice error={error} />}
      <CorrectDialog isOpen={isOpen} close={() => setOpen(false)} path={path} signer={signer} />
    </div>
  );
}

type CorrectProps = { isOpen: boolean; close: () => void; path: { id: string; signerId: string }; signer: Signer };

function CorrectDialog({ isOpen, close, path, signer }: CorrectProps): JSX.Element {
  const words = useTexts(signatureTexts);
  const update = useRequestUpdate();
  const correct = async (event: FormEvent<HTMLFormElement>) => {
    const body = fieldsOf(event, 'name', 'email');
    await update(await versioned(api.PATCH('/api/v1/signatures/{id}/signers/{signerId}', { params: { path }, body })));
    toast(words.corrected);
  };
  return (
    <Dialog title={words.correctTitle} isOpen={isOpen} close={close}>
      <ActionForm
        text={signer.status === 'pending' ? words.correctPending : words.correctWaiting}
        verb={words.correct}
        close={close}
        send={correct}
      >
        <TextInput name="name" label={words.name} defaultValue={signer.name} maxLength={255} required data-autofocus />
        <TextInput name="email" type="email" label={words.email} defaultValue={signer.email} maxLength={254} required />
      </ActionForm>
    </Dialog>
  );
}
