import { Button, Textarea } from '@mantine/core';
import type { EmergencyAccess } from '@chancery/client';
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { api, ok } from '../../api.ts';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { useClaims } from '../../session/use-session.ts';
import { useTexts } from '../../texts/texts.ts';
import { useAction } from '../action.ts';
import { ConfirmButton } from '../confirm.tsx';
import { fieldsOf } from '../fields.ts';
import { Name, useName } from '../name.tsx';
import { RowOf, Rows, Section } from '../section.tsx';
import { Time } from '../time.tsx';
import { toast } from '../toasts.tsx';
import { type BarrierPlace, useEmergencyAccess } from './barrier-data.ts';
import styles from './barrier.module.css';
import { barrierTexts } from './texts.ts';

/** The requests for emergency access to a barrier. Without the right to read them, the section is absent. `mayAsk`: the barrier excludes the person. */
export function EmergencySection({ place, mayAsk }: { place: BarrierPlace; mayAsk: boolean }): JSX.Element | null {
  const words = useTexts(barrierTexts);
  const { sub } = useClaims();
  const { data } = useEmergencyAccess(place.id);
  if (!data) return null;
  const hasRequested = data.some(({ userId, status }) => userId === sub && status !== 'expired');
  return (
    <Section title={words.emergency} text={words.emergencyText}>
      {data.length === 0 && <p className="soft">{words.noRequests}</p>}
      {data.length > 0 && (
        <Rows label={words.emergency}>
          {data.map((one) => (
            <RequestRow key={one.id} place={place} request={one} />
          ))}
        </Rows>
      )}
      {mayAsk && !hasRequested && <RequestForm place={place} />}
    </Section>
  );
}

function RequestRow({ place, request }: { place: BarrierPlace; request: EmergencyAccess }): JSX.Element {
  const words = useTexts(barrierTexts);
  const client = useQueryClient();
  const { sub } = useClaims();
  const { id, userId, reason, status, requestedAt, approvedBy, expiresAt } = request;
  const person = useName(userId).data?.name ?? '';
  const approve = async () => {
    const params = { path: { id: place.id, emergencyAccessId: id } };
    await ok(api.POST('/api/v1/barriers/{id}/emergency-access/{emergencyAccessId}/approve', { params }));
    toast(words.approved);
    await client.invalidateQueries({ queryKey: ['folder', place.id] });
  };
  return (
    <RowOf
      title={
        <>
          <Name id={userId} />
          <span className="soft">{words.states[status]}</span>
        </>
      }
      detail={
        <>
          {reason} · <Time at={requestedAt} />
          {approvedBy !== undefined && (
            <>
              {' · '}
              {words.approvedBy} <Name id={approvedBy} />
            </>
          )}
          {status === 'active' && expiresAt !== undefined && (
            <>
              {' · '}
              {words.until} <Time at={expiresAt} exact />
            </>
          )}
          {status === 'requested' && userId === sub && <> · {words.own}</>}
        </>
      }
      actions={
        status === 'requested' &&
        userId !== sub && (
          <ConfirmButton
            label={words.approve}
            name={`${words.approveNow}: ${person}`}
            title={words.approveTitle}
            verb={words.approveNow}
            action={approve}
          >
            <p>{words.approveConsequence(person, place.name)}</p>
          </ConfirmButton>
        )
      }
    />
  );
}

function RequestForm({ place }: { place: BarrierPlace }): JSX.Element {
  const words = useTexts(barrierTexts);
  const client = useQueryClient();
  const { run, isBusy, error } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { reason } = fieldsOf(event, 'reason');
    void run(async () => {
      await ok(api.POST('/api/v1/barriers/{id}/emergency-access', { params: { path: { id: place.id } }, body: { reason } }));
      toast(words.requested);
      await client.invalidateQueries({ queryKey: ['folder', place.id] });
    });
  };
  return (
    <form className={`${styles.form} ${styles.request}`} onSubmit={submit}>
      <Textarea name="reason" label={words.reason} description={words.reasonText} required minLength={3} maxLength={500} rows={2} />
      {error !== undefined && <ProblemNotice error={error} />}
      <div>
        <Button type="submit" loading={isBusy}>
          {words.request}
        </Button>
      </div>
    </form>
  );
}
