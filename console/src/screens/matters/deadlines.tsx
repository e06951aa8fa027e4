import { Button, NumberInput, TextInput } from '@mantine/core';
import type { Matter, MatterDeadline } from '@chancery/client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FormEvent, JSX } from 'react';
import { useContext, useState } from 'react';
import { api, ok, page, versioned } from '../../api.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { dayIn } from '../../parts/day.ts';
import { ActionForm, Dialog } from '../../parts/dialog.tsx';
import { fieldsOf } from '../../parts/fields.ts';
import { Name } from '../../parts/name.tsx';
import { type Principal, PrincipalSelect, principalId } from '../../parts/principal-select.tsx';
import { RowOf, Rows, Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { TimeZone } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { matterTexts } from './texts.ts';

const pageRows = 50;
const [defaultRemindDays, maxRemindDays] = [5, 60];

/** The deadlines of a matter. The service creates a task some working days before each. */
export function Deadlines({ matter: { id, status } }: { matter: Matter }): JSX.Element {
  const { deadlines: words } = useTexts(matterTexts);
  const common = useTexts(commonTexts);
  const { scopes } = useClaims();
  const [open, setOpen] = useState<MatterDeadline | 'new'>();
  const query = useInfiniteQuery({
    queryKey: ['matter', id, 'deadlines'],
    queryFn: ({ pageParam }) =>
      page(api.GET('/api/v1/matters/{id}/deadlines', { params: { path: { id }, query: { limit: pageRows, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const found = (query.data?.pages.flatMap(({ items }) => items) ?? []).toSorted((a, b) => a.dueDate.localeCompare(b.dueDate));
  const mayEdit = status !== 'closed' && scopes.has('matters:write');
  const close = () => setOpen(undefined);
  return (
    <Section
      title={words.title}
      text={found.length === 0 && query.isSuccess ? words.none : undefined}
      actions={
        mayEdit && (
          <Button variant="default" onClick={() => setOpen('new')}>
            {words.add}
          </Button>
        )
      }
    >
      {query.isPending && <Loading rows={2} />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {found.length > 0 && (
        <Rows label={words.title}>
          {found.map((one) => (
            <DeadlineRow key={one.id} deadline={one} mayEdit={mayEdit} edit={() => setOpen(one)} />
          ))}
        </Rows>
      )}
      {query.hasNextPage && (
        <div>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {common.loadMore}
          </Button>
        </div>
      )}
      <Dialog title={open === 'new' ? words.add : words.change} isOpen={open !== undefined} close={close}>
        {open !== undefined && <DeadlineForm matterId={id} deadline={open === 'new' ? undefined : open} close={close} />}
      </Dialog>
    </Section>
  );
}

type DeadlineRowProps = { deadline: MatterDeadline; mayEdit: boolean; edit: () => void };

function DeadlineRow({ deadline, mayEdit, edit }: DeadlineRowProps): JSX.Element {
  const { deadlines: words } = useTexts(matterTexts);
  const client = useQueryClient();
  const { id: deadlineId, matterId, title, dueDate, source, assigneeId, remindDays, taskId } = deadline;
  const remove = async () => {
    const path = { id: matterId, deadlineId };
    const { etag } = await versioned(api.GET('/api/v1/matters/{id}/deadlines/{deadlineId}', { params: { path } }));
    await ok(api.DELETE('/api/v1/matters/{id}/deadlines/{deadlineId}', { params: { path, header: { 'If-Match': etag } } }));
    toast(words.removed);
    await client.invalidateQueries({ queryKey: ['matter', matterId, 'deadlines'] });
  };
  return (
    <RowOf
      title={
        <>
          {title}
          <span className="soft">
            <Time at={dueDate} exact />
          </span>
        </>
      }
      detail={
        <>
          {source !== undefined && `${source} · `}
          {assigneeId === undefined ? words.responsible : <Name id={assigneeId} />}
          {' · '}
          {taskId === undefined ? words.remind(remindDays) : <Link {...{ to: '/tasks/$id', params: { id: taskId } }}>{words.task}</Link>}
        </>
      }
      actions={
        mayEdit && (
          <>
            <Button variant="default" size="xs" aria-label={`${words.edit}: ${title}`} onClick={edit}>
              {words.edit}
            </Button>
            <ConfirmButton size="xs" label={words.remove} name={`${words.remove}: ${title}`} title={words.removeTitle} action={remove}>
              <p>{words.removeText(title)}</p>
            </ConfirmButton>
          </>
        )
      }
    />
  );
}

type DeadlineFormProps = { matterId: string; deadline: MatterDeadline | undefined; close: () => void };

function DeadlineForm({ matterId, deadline, close }: DeadlineFormProps): JSX.Element {
  const { deadlines: words } = useTexts(matterTexts);
  const client = useQueryClient();
  const timeZone = useContext(TimeZone);
  const [assignee, setAssignee] = useState<Principal | null>(deadline?.assigneeId === undefined ? null : `user:${deadline.assigneeId}`);
  const day = deadline && dayIn(new Date(deadline.dueDate), timeZone);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    const fields = fieldsOf(event, 'title', 'dueDate', 'source', 'remindDays');
    const body = {
      title: fields.title,
      source: fields.source === '' ? null : fields.source,
      assigneeId: assignee === null ? null : principalId(assignee),
      remindDays: Number(fields.remindDays),
    };
    if (deadline === undefined) {
      const params = { path: { id: matterId } };
      await ok(api.POST('/api/v1/matters/{id}/deadlines', { params, body: { ...body, dueDate: fields.dueDate } }));
    } else {
      const path = { id: matterId, deadlineId: deadline.id };
      const { etag } = await versioned(api.GET('/api/v1/matters/{id}/deadlines/{deadlineId}', { params: { path } }));
      // A day that stays the same keeps its time.
      const changed = { ...body, ...(fields.dueDate === day ? {} : { dueDate: fields.dueDate }) };
      const params = { path, header: { 'If-Match': etag } };
      await ok(api.PATCH('/api/v1/matters/{id}/deadlines/{deadlineId}', { params, body: changed }));
    }
    toast(words.saved);
    await client.invalidateQueries({ queryKey: ['matter', matterId, 'deadlines'] });
  };
  return (
    <ActionForm verb={deadline ? words.save : words.addNow} close={close} send={send}>
      <TextInput name="title" label={words.name} defaultValue={deadline?.title} required maxLength={255} data-autofocus />
      <TextInput name="dueDate" type="date" label={words.day} defaultValue={day} required />
      <TextInput name="source" label={words.source} description={words.sourceText} defaultValue={deadline?.source} maxLength={500} />
      <PrincipalSelect label={words.assignee} description={words.assigneeText} value={assignee} onChange={setAssignee} />
      <NumberInput
        name="remindDays"
        label={words.days}
        description={words.daysText}
        defaultValue={deadline?.remindDays ?? defaultRemindDays}
        min={0}
        max={maxRemindDays}
        clampBehavior="strict"
        allowDecimal={false}
        hideControls
        required
      />
    </ActionForm>
  );
}
