import { Button, Textarea } from '@mantine/core';
import type { Workflow } from '@chancery/client';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent, JSX } from 'react';
import { api, ok, type Versioned } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { ActionForm, DialogButton } from '../../parts/dialog.tsx';
import { fieldsOf } from '../../parts/fields.ts';
import { toast } from '../../parts/toasts.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { useTexts } from '../../texts/texts.ts';
import { workflowTexts } from './texts.ts';
import { isEnded, useRenew, useRights, useWorkflowTasks } from './workflow-data.ts';
import styles from './workflows.module.css';

/** The actions of the person on a workflow in its state. */
export function WorkflowActions({ version: { data: workflow, etag } }: { version: Versioned<Workflow> }): JSX.Element {
  const words = useTexts(workflowTexts);
  const { edits, cancels } = useRights(workflow);
  const { run, isBusy, error } = useAction();
  const renew = useRenew();
  const { id, status } = workflow;
  const params = { path: { id } };
  const change = (work: () => Promise<unknown>, done: string) =>
    run(async () => {
      await work();
      await renew();
      toast(done);
    });
  const start = () => change(() => ok(api.POST('/api/v1/workflows/{id}/start', { params })), words.started);
  const resume = () => change(() => ok(api.POST('/api/v1/workflows/{id}/resume', { params })), words.resumed);
  const isRunning = status === 'active' || status === 'paused';
  return (
    <>
      {edits && status === 'draft' && (
        <Button loading={isBusy} onClick={() => void start()}>
          {words.start}
        </Button>
      )}
      {edits && status === 'paused' && (
        <Button loading={isBusy} onClick={() => void resume()}>
          {words.resume}
        </Button>
      )}
      {edits && status === 'active' && <PauseButton id={id} />}
      {cancels && isRunning && <CancelButton id={id} />}
      {edits && (status === 'draft' || isEnded(workflow)) && <DeleteButton workflow={workflow} etag={etag} />}
      {error !== undefined && (
        <div className={styles.error}>
          <ProblemNotice error={error} />
        </div>
      )}
    </>
  );
}

function PauseButton({ id }: { id: string }): JSX.Element {
  const words = useTexts(workflowTexts);
  const renew = useRenew();
  const send = async (event: FormEvent<HTMLFormElement>) => {
    const { reason } = fieldsOf(event, 'reason');
    const body = reason === '' ? {} : { reason };
    await ok(api.POST('/api/v1/workflows/{id}/pause', { params: { path: { id } }, body }));
    await renew();
    toast(words.paused);
  };
  return (
    <DialogButton label={words.pause} title={words.pauseTitle}>
      {(close) => (
        <ActionForm text={words.pauseText} verb={words.pauseVerb} close={close} send={send}>
          <Reason />
        </ActionForm>
      )}
    </DialogButton>
  );
}

function CancelButton({ id }: { id: string }): JSX.Element {
  const words = useTexts(workflowTexts);
  const renew = useRenew();
  const { data: tasks = [] } = useWorkflowTasks(id);
  const open = tasks.filter(({ status }) => status === 'open').length;
  const send = async (event: FormEvent<HTMLFormElement>) => {
    const { reason } = fieldsOf(event, 'reason');
    const body = reason === '' ? {} : { reason };
    await ok(api.POST('/api/v1/workflows/{id}/cancel', { params: { path: { id } }, body }));
    await renew();
    toast(words.cancelled);
  };
  return (
    <DialogButton label={words.cancel} title={words.cancelTitle} isDangerous>
      {(close) => (
        <ActionForm text={words.cancelText(open)} verb={words.cancelVerb} back={words.keepRunning} isDangerous close={close} send={send}>
          <Reason />
        </ActionForm>
      )}
    </DialogButton>
  );
}

function Reason(): JSX.Element {
  const words = useTexts(workflowTexts);
  return (
    <Textarea
      name="reason"
      label={words.reason}
      description={words.reasonHint}
      maxLength={2_000}
      rows={3}
      resize="vertical"
      data-autofocus
    />
  );
}

function DeleteButton({ workflow: { id, name }, etag }: { workflow: Workflow; etag: string }): JSX.Element {
  const words = useTexts(workflowTexts);
  const navigate = useNavigate();
  const renew = useRenew();
  const remove = async () => {
    await ok(api.DELETE('/api/v1/workflows/{id}', { params: { path: { id }, header: { 'If-Match': etag } } }));
    toast(words.deleted);
    await navigate({ to: '/workflows', replace: true });
    await renew();
  };
  return (
    <ConfirmButton
      label={words.delete}
      title={words.deleteTitle(name)}
      verb={words.deleteVerb}
      variant="subtle"
      color="red"
      action={remove}
    >
      {words.deleteText}
    </ConfirmButton>
  );
}
