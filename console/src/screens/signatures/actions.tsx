import { Button, Textarea, TextInput } from '@mantine/core';
import type { ComponentProps, FormEvent, JSX } from 'react';
import { useContext } from 'react';
import { api, type Versioned, versioned } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { ActionForm, DialogButton } from '../../parts/dialog.tsx';
import { dayIn, daysFromNow, endOfDay } from '../../parts/day.ts';
import { fieldsOf } from '../../parts/fields.ts';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { useClaims } from '../../session/use-session.ts';
import { TimeZone } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { currentSigners, isLive, nextReminderOf, type Request, useRequestUpdate } from './request-data.ts';
import styles from './signatures.module.css';
import { signatureTexts } from './texts.ts';

type RequestChange = Promise<Versioned<Request>>;

/** The actions that a request allows in its state. */
export function RequestActions({ request: { data: request, etag } }: { request: Versioned<Request> }): JSX.Element | null {
  const words = useTexts(signatureTexts);
  const claims = useClaims();
  const update = useRequestUpdate();
  const { run, isBusy, error } = useAction();
  if (!claims.scopes.has('signatures:write')) return null;
  const params = { path: { id: request.id } };
  const change = (work: () => RequestChange, done: string) =>
    run(async () => {
      await update(await work());
      toast(done);
    });
  const isSuspended = request.suspended !== undefined && isLive(request);
  const names = currentSigners(request).map(({ name }) => name);
  const remind = () => change(() => versioned(api.POST('/api/v1/signatures/{id}/remind', { params })), words.reminded(names));
  const resume = () => change(() => versioned(api.POST('/api/v1/signatures/{id}/resume', { params })), words.resumed);
  const retry = () => change(() => versioned(api.POST('/api/v1/signatures/{id}/retry', { params })), words.retried);
  const isPending = request.status === 'pending';
  const nextReminder = nextReminderOf(request);
  if (!isLive(request) && request.status !== 'failed') return null;
  return (
    <div className={styles.actions}>
      {isSuspended && (
        <Button loading={isBusy} onClick={() => void resume()}>
          {words.resume}
        </Button>
      )}
      {request.status === 'failed' && (
        <Button loading={isBusy} onClick={() => void retry()}>
          {words.retry}
        </Button>
      )}
      {isPending && !isSuspended && nextReminder === undefined && (
        <Button loading={isBusy} onClick={() => void remind()}>
          {words.remind}
        </Button>
      )}
      {isPending && <ExtendButton request={request} etag={etag} />}
      {(isPending || request.status === 'preparing') && <VoidButton request={request} etag={etag} />}
      {isPending && !isSuspended && nextReminder !== undefined && (
        <p className="soft">
          {words.remindAgain} <Time at={nextReminder} exact />
        </p>
      )}
      {error !== undefined && <ProblemNotice error={error} />}
    </div>
  );
}

type FormProps = Omit<ComponentProps<typeof ActionForm>, 'send'> & {
  send: (event: FormEvent<HTMLFormElement>) => RequestChange;
  done: string;
};

function ChangeForm({ send, done, ...form }: FormProps): JSX.Element {
  const update = useRequestUpdate();
  const change = async (event: FormEvent<HTMLFormElement>) => {
    await update(await send(event));
    toast(done);
  };
  return <ActionForm {...form} send={change} />;
}

type OfRequest = { request: Request; etag: string };
const dayMs = 86_400_000;
const maxDays = 364;

function ExtendButton({ request, etag }: OfRequest): JSX.Element {
  const words = useTexts(signatureTexts);
  const zone = useContext(TimeZone);
  const current = Date.parse(request.expiresAt);
  const last = daysFromNow(maxDays);
  const usual = new Date(Math.min(current + 14 * dayMs, last.getTime()));
  const send = (event: FormEvent<HTMLFormElement>) => {
    const { day } = fieldsOf(event, 'day');
    const expiresAt = endOfDay(day, zone).toISOString();
    return versioned(
      api.POST('/api/v1/signatures/{id}/extend', {
        params: { path: { id: request.id }, header: { 'If-Match': etag } },
        body: { expiresAt },
      }),
    );
  };
  return (
    <DialogButton label={words.extend} title={words.extendTitle}>
      {(close) => (
        <ChangeForm text={words.extendText} verb={words.extend} close={close} send={send} done={words.extended}>
          <TextInput
            type="date"
            name="day"
            label={words.newEnd}
            min={dayIn(new Date(current + dayMs), zone)}
            max={dayIn(last, zone)}
            defaultValue={dayIn(usual, zone)}
            required
            data-autofocus
          />
        </ChangeForm>
      )}
    </DialogButton>
  );
}

function VoidButton({ request, etag }: OfRequest): JSX.Element {
  const words = useTexts(signatureTexts);
  const send = (event: FormEvent<HTMLFormElement>) =>
    versioned(
      api.POST('/api/v1/signatures/{id}/void', {
        params: { path: { id: request.id }, header: { 'If-Match': etag } },
        body: fieldsOf(event, 'reason'),
      }),
    );
  const requested = request.signers.filter(({ sentAt }) => sentAt !== undefined).map(({ name }) => name);
  return (
    <DialogButton label={words.void} title={words.voidTitle} isDangerous>
      {(close) => (
        <ChangeForm text={words.voidText(requested)} verb={words.void} isDangerous close={close} send={send} done={words.voided}>
          <Textarea name="reason" label={words.voidReason} maxLength={2_000} rows={3} resize="vertical" required data-autofocus />
        </ChangeForm>
      )}
    </DialogButton>
  );
}
