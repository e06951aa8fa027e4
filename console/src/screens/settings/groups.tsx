import { Badge, Button, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, countItems, ok, page } from '../../api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useAction } from '../../parts/action.ts';
import { fieldsOf } from '../../parts/fields.ts';
import { Icon } from '../../parts/icons.tsx';
import { List, pageRows } from '../../parts/list.tsx';
import { Empty } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { groupTexts } from './group-texts.ts';
import { SettingsPage } from './settings-page.tsx';
import styles from './settings.module.css';
import { settingsTexts } from './texts.ts';

/** The groups of the team. */
export function GroupsPage(): JSX.Element {
  const shared = useTexts(settingsTexts);
  const words = useTexts(groupTexts);
  const manages = managesTeam(useClaims());
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <SettingsPage
      actions={
        manages && (
          <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setOpen(true)}>
            {words.create}
          </Button>
        )
      }
    >
      <List
        label={shared.groups}
        queryKey={['group', 'list']}
        read={(cursor) => page(api.GET('/api/v1/groups/', { params: { query: { limit: pageRows, cursor }, header: countItems } }))}
        to={({ id }) => `/settings/groups/${id}`}
        title={({ name }) => name}
        columns={[
          {
            header: shared.name,
            cell: ({ name, directoryId }) => (
              <span className={styles.named}>
                {name}
                {directoryId !== undefined && (
                  <Badge variant="light" color="gray" radius="sm" tt="none" fw={500}>
                    {words.directory}
                  </Badge>
                )}
              </span>
            ),
          },
          { header: words.description, cell: ({ description }) => <span className="soft">{description}</span>, wide: true },
          { header: words.members, cell: ({ membersCount }) => words.size(membersCount), narrow: true },
          { header: words.changed, cell: ({ updatedAt }) => <Time at={updatedAt} />, narrow: true, wide: true },
        ]}
        empty={<Empty title={words.none}>{words.intro}</Empty>}
      />
      <Dialog title={words.create} isOpen={isOpen} close={close}>
        <CreateForm close={close} />
      </Dialog>
    </SettingsPage>
  );
}

function CreateForm({ close }: { close: () => void }): JSX.Element {
  const shared = useTexts(settingsTexts);
  const words = useTexts(groupTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { run, isBusy, error } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name, description } = fieldsOf(event, 'name', 'description');
    void run(async () => {
      const group = await ok(api.POST('/api/v1/groups/', { body: { name, ...(description === '' ? {} : { description }) } }));
      await client.invalidateQueries({ queryKey: ['group', 'list'] });
      toast(words.created(group.name));
      close();
      await navigate({ to: '/settings/groups/$id', params: { id: group.id } });
    });
  };
  return (
    <form className={styles.dialog} onSubmit={submit}>
      <p className="soft">{words.intro}</p>
      <TextInput name="name" label={shared.name} maxLength={200} required data-autofocus />
      <Textarea name="description" label={words.description} maxLength={2_000} rows={2} resize="vertical" />
      {error !== undefined && <ProblemNotice error={error} />}
      <div className={styles.choices}>
        <Button variant="default" onClick={close}>
          {common.cancel}
        </Button>
        <Button type="submit" loading={isBusy}>
          {words.create}
        </Button>
      </div>
    </form>
  );
}
