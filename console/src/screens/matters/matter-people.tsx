import { Button, NativeSelect } from '@mantine/core';
import type { AccessGrant, Matter } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { fieldsOf } from '../../parts/fields.ts';
import { Name, useName } from '../../parts/name.tsx';
import { type Principal, principalBody, PrincipalSelect } from '../../parts/principal-select.tsx';
import { RowOf, Rows, Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { useTexts } from '../../texts/texts.ts';
import styles from './matters.module.css';
import { matterTexts } from './texts.ts';

/** Who can see a matter, and why. */
export function MatterPeople({ matter: { id, barrier } }: { matter: Matter }): JSX.Element {
  const words = useTexts(matterTexts);
  const client = useQueryClient();
  const queryKey = ['matter', id, 'access'];
  const query = useQuery({
    queryKey,
    queryFn: () => ok(api.GET('/api/v1/matters/{id}/access', { params: { path: { id } } })),
  });
  const renew = () => client.invalidateQueries({ queryKey });
  const remove = async (grantId: string) => {
    await ok(api.DELETE('/api/v1/matters/{id}/access/{grantId}', { params: { path: { id, grantId } } }));
    await renew();
    toast(words.removed);
  };
  return (
    <Section title={words.people} text={barrier ? words.peopleBarred : words.peopleText}>
      {query.isPending && <Loading rows={2} />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && (
        <Rows label={words.people}>
          {query.data.grants.map((grant, at) => (
            <GrantRow key={grant.id ?? at} grant={grant} remove={remove} />
          ))}
        </Rows>
      )}
      <AddPeople key={query.data?.grants.length} id={id} done={renew} />
    </Section>
  );
}

function GrantRow({ grant, remove }: { grant: AccessGrant; remove: (grantId: string) => Promise<void> }): JSX.Element {
  const words = useTexts(matterTexts);
  const { id, userId, groupId, clientId, team, access, reason, grantedBy, since } = grant;
  const { data } = useName(userId ?? groupId ?? clientId);
  const name = team ? words.wholeTeam : (data?.name ?? '');
  const right = access === 'write' ? words.write : words.read;
  return (
    <RowOf
      title={team ? words.wholeTeam : <Name id={userId ?? groupId ?? clientId} />}
      detail={
        <>
          {reason === 'owner' ? words.responsible : reason === 'role' ? words.byRole : right}
          {groupId !== undefined && ` · ${words.group}`}
          {grantedBy !== undefined && (
            <>
              {' · '}
              {words.grantedBy} <Name id={grantedBy} />
            </>
          )}
          {since !== undefined && reason === 'share' && (
            <>
              {' · '}
              <Time at={since} />
            </>
          )}
        </>
      }
      actions={
        id !== undefined &&
        reason === 'share' && (
          <ConfirmButton
            size="xs"
            label={words.remove}
            name={`${words.remove}: ${name}`}
            title={words.removeTitle}
            action={() => remove(id)}
          >
            <p>{words.removeText(name)}</p>
          </ConfirmButton>
        )
      }
    />
  );
}

function AddPeople({ id, done }: { id: string; done: () => Promise<void> }): JSX.Element {
  const words = useTexts(matterTexts);
  const [who, setWho] = useState<Principal | null>(null);
  const { run, isBusy, error } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { access } = fieldsOf(event, 'access');
    if (who === null) return;
    void run(async () => {
      const body = { ...principalBody(who), access: access === 'write' ? ('write' as const) : ('read' as const) };
      await ok(api.POST('/api/v1/matters/{id}/access', { params: { path: { id } }, body }));
      await done();
      toast(words.added);
    });
  };
  return (
    <form onSubmit={submit}>
      <div className={styles.add}>
        <PrincipalSelect label={words.addPeople} value={who} onChange={setWho} groups team required />
        <NativeSelect
          name="access"
          label={words.right}
          data={[
            { value: 'write', label: words.write },
            { value: 'read', label: words.read },
          ]}
        />
        <Button type="submit" variant="default" loading={isBusy} disabled={who === null}>
          {words.add}
        </Button>
      </div>
      {error !== undefined && <ProblemNotice error={error} />}
    </form>
  );
}
