import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, countItems, ok, page } from '../../api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useAction } from '../../parts/action.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { List, pageRows } from '../../parts/list.tsx';
import { Name, useName } from '../../parts/name.tsx';
import { PeopleField } from '../../parts/person-field.tsx';
import { Section } from '../../parts/section.tsx';
import { Empty } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { useProblemText } from '../../problems/problem-text.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { groupTexts } from './group-texts.ts';
import styles from './settings.module.css';
import { settingsTexts } from './texts.ts';

const path = '/api/v1/groups/{id}/members';

/** The members of a group. */
export function GroupMembers({ groupId, mayChange }: { groupId: string; mayChange: boolean }): JSX.Element {
  const shared = useTexts(settingsTexts);
  const words = useTexts(groupTexts);
  const renew = useRenew(groupId);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const remove = async (userId: string) => {
    await ok(api.DELETE('/api/v1/groups/{id}/members/{userId}', { params: { path: { id: groupId, userId } } }));
    await renew();
    toast(words.removed);
  };
  return (
    <Section
      title={words.members}
      text={words.membersText}
      actions={
        mayChange && (
          <Button variant="default" onClick={() => setOpen(true)}>
            {words.add}
          </Button>
        )
      }
    >
      <List
        label={words.members}
        queryKey={['group', groupId, 'members']}
        read={async (cursor) => {
          const params = { path: { id: groupId }, query: { limit: pageRows, cursor }, header: countItems };
          const { items, ...rest } = await page(api.GET(path, { params }));
          return { ...rest, items: items.map(({ userId, addedAt }) => ({ id: userId, addedAt })) };
        }}
        to={({ id }) => `/settings/members/${id}`}
        title={() => ''}
        columns={[
          { header: shared.name, cell: ({ id }) => <Name id={id} /> },
          { header: words.since, cell: ({ addedAt }) => <Time at={addedAt} />, narrow: true, wide: true },
        ]}
        {...(mayChange
          ? {
              actions: ({ id }: { id: string }) => <RemoveButton id={id} remove={() => remove(id)} />,
            }
          : {})}
        empty={<Empty title={words.empty}>{mayChange && words.emptyText}</Empty>}
      />
      <Dialog title={words.add} isOpen={isOpen} close={close}>
        <AddForm groupId={groupId} close={close} />
      </Dialog>
    </Section>
  );
}

function RemoveButton({ id, remove }: { id: string; remove: () => Promise<void> }): JSX.Element {
  const words = useTexts(groupTexts);
  const name = useName(id).data?.name ?? '';
  return (
    <ConfirmButton size="xs" label={words.remove} name={`${words.remove}: ${name}`} title={words.removeTitle(name)} action={remove}>
      <p>{words.removeText}</p>
    </ConfirmButton>
  );
}

function useRenew(groupId: string) {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: ['group', groupId] });
    await client.invalidateQueries({ queryKey: ['group', 'list'] });
  };
}

/** Members who can be in a group: guests and auditors cannot. */
const groupRoles = ['owner', 'admin', 'member', 'viewer'] as const;

/** Adds several members to a group. */
function AddForm({ groupId, close }: { groupId: string; close: () => void }): JSX.Element {
  const words = useTexts(groupTexts);
  const common = useTexts(commonTexts);
  const renew = useRenew(groupId);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [failed, setFailed] = useState<readonly { id: string; error: unknown }[]>([]);
  const { run, isBusy, error } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run(async () => {
      const refused: { id: string; error: unknown }[] = [];
      for (const userId of chosen)
        await ok(api.POST(path, { params: { path: { id: groupId } }, body: { userId } })).catch((reason: unknown) =>
          refused.push({ id: userId, error: reason }),
        );
      await renew();
      const count = chosen.length - refused.length;
      if (count > 0) toast(words.added(count));
      if (refused.length === 0) return close();
      setFailed(refused);
      setChosen(refused.map(({ id }) => id));
    });
  };
  return (
    <form className={styles.dialog} onSubmit={submit}>
      <PeopleField label={words.members} values={chosen} change={setChosen} roles={groupRoles} />
      {error !== undefined && <ProblemNotice error={error} />}
      {failed.length > 0 && (
        <div className={styles.warning} role="alert">
          <p>{words.notAdded(failed.length)}</p>
          <ul>
            {failed.map(({ id, error: reason }) => (
              <li key={id}>
                <strong>
                  <Name id={id} />
                </strong>
                : <Reason error={reason} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={styles.choices}>
        <Button variant="default" onClick={close}>
          {common.cancel}
        </Button>
        <Button type="submit" loading={isBusy} disabled={chosen.length === 0}>
          {words.addVerb(chosen.length)}
        </Button>
      </div>
    </form>
  );
}

const Reason = ({ error }: { error: unknown }) => useProblemText(error);
