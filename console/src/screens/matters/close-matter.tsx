import { Button, Textarea, TextInput } from '@mantine/core';
import type { Matter, MatterContent } from '@chancery/client';
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, type Versioned, versioned } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { ActionForm, Dialog } from '../../parts/dialog.tsx';
import { fieldsOf } from '../../parts/fields.ts';
import { toast } from '../../parts/toasts.tsx';
import { ApiProblem } from '../../problems/api-problem.ts';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { useTexts } from '../../texts/texts.ts';
import styles from './matters.module.css';
import { matterTexts } from './texts.ts';

function useRenew(id: string): (version: Versioned<Matter>) => Promise<void> {
  const client = useQueryClient();
  return async (version) => {
    client.setQueryData(['matter', id], version);
    await client.invalidateQueries({ queryKey: ['matter'] });
  };
}

/** Closes a matter. Open work is listed first, and ended only for a reason. */
export function CloseMatter({ version: { data: matter, etag } }: { version: Versioned<Matter> }): JSX.Element {
  const words = useTexts(matterTexts);
  const [isOpen, setOpen] = useState(false);
  const renew = useRenew(matter.id);
  const [work, setWork] = useState<readonly MatterContent[]>([]);
  const isForced = work.length > 0;
  const send = async (event: FormEvent<HTMLFormElement>) => {
    const { retainUntil, reason } = fieldsOf(event, 'retainUntil', 'reason');
    const params = { path: { id: matter.id }, header: { 'If-Match': etag } };
    const body = { ...(retainUntil === '' ? {} : { retainUntil }), ...(reason === '' ? {} : { force: true, reason }) };
    try {
      await renew(await versioned(api.POST('/api/v1/matters/{id}/close', { params, body })));
    } catch (error) {
      const left = error instanceof ApiProblem && error.code === 'open_work' ? (error.members.openWork as MatterContent[]) : [];
      // Without visible work, a barrier hides it, and the problem says so.
      if (isForced || left.length === 0) throw error;
      setWork(left);
      return false;
    }
    toast(words.matterClosed);
    return true;
  };
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {words.closeMatter}
      </Button>
      <Dialog title={words.closeTitle} isOpen={isOpen} close={() => setOpen(false)}>
        <ActionForm
          text={words.closeText}
          verb={isForced ? words.endAndClose : words.closeNow}
          isDangerous={isForced}
          close={() => setOpen(false)}
          send={send}
        >
          <TextInput type="date" name="retainUntil" label={words.retainUntil} description={words.retainText} />
          {isForced && (
            <>
              <p role="status">{words.openWork}</p>
              <ul className={styles.work}>
                {work.map(({ id, type, name }) => (
                  <li key={id}>
                    {name} <span className="soft">({words.types[type]})</span>
                  </li>
                ))}
              </ul>
              <Textarea
                name="reason"
                label={words.reason}
                description={words.reasonText}
                required
                minLength={3}
                maxLength={500}
                autosize
                minRows={2}
              />
            </>
          )}
        </ActionForm>
      </Dialog>
    </>
  );
}

/** Opens a closed matter again. */
export function ReopenMatter({ version: { data: matter, etag } }: { version: Versioned<Matter> }): JSX.Element {
  const words = useTexts(matterTexts);
  const renew = useRenew(matter.id);
  const { run, isBusy, error } = useAction();
  const reopen = () =>
    run(async () => {
      const params = { path: { id: matter.id }, header: { 'If-Match': etag } };
      await renew(await versioned(api.POST('/api/v1/matters/{id}/reopen', { params })));
      toast(words.matterReopened);
    });
  return (
    <>
      <Button variant="default" loading={isBusy} onClick={() => void reopen()}>
        {words.reopen}
      </Button>
      {error !== undefined && <ProblemNotice error={error} />}
    </>
  );
}
