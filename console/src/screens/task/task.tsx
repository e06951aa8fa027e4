import { ActionIcon, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { useState } from 'react';
import { api, ok, type Versioned } from '../../api.ts';
import { orToast } from '../../parts/action.ts';
import { Comments } from '../../parts/comments.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Name } from '../../parts/name.tsx';
import { RoundView, useRound } from '../../parts/round-view.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useClaims } from '../../session/use-session.ts';
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { callOf } from './call.ts';
import { CallView, useTaskTitle } from './call-view.tsx';
import { Decision } from './decision.tsx';
import { DocumentPane } from './document-pane.tsx';
import { History } from './history.tsx';
import { PassOn } from './pass-on.tsx';
import { type Task, useComments, useTask } from './queries.ts';
import styles from './task.module.css';
import { taskTexts } from './texts.ts';

/** The page of a task, with its document beside the question. */
export function TaskPage(): JSX.Element {
  const { id = '' } = useParams({ strict: false });
  const titleOf = useTaskTitle();
  const query = useTask(id);
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const { data: task } = query.data;
  return (
    <Screen title={titleOf(task)} actions={<TaskMenu task={task} />}>
      <TaskView key={id} version={query.data} isPage />
    </Screen>
  );
}

/** A task in the side panel. `decided` is called after the decision of the person. */
export function TaskPeek({ id, decided }: { id: string; decided: () => void }): JSX.Element {
  const { openPage } = useTexts(commonTexts);
  const titleOf = useTaskTitle();
  const query = useTask(id);
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const { data: task } = query.data;
  return (
    <div className={styles.peek}>
      <header className={styles.head}>
        <h2>{titleOf(task)}</h2>
        <TaskMenu task={task} />
      </header>
      <TaskView version={query.data} decided={decided} />
      <Link to="/tasks/$id" params={{ id }}>
        {openPage}
      </Link>
    </div>
  );
}

type TaskViewProps = { version: Versioned<Task>; isPage?: boolean; decided?: () => void };

function TaskView({ version, isPage = false, decided }: TaskViewProps): JSX.Element {
  const { data: task } = version;
  const { data: round } = useRound(task.roundId);
  const call = callOf(task);
  const documents = round?.documents.map(({ id }) => id) ?? (task.documentId === undefined ? [] : [task.documentId]);
  return (
    <div className={styles.panes} data-page={isPage && documents.length > 0}>
      {documents.length > 0 && (
        <div className={styles.pane}>
          <DocumentPane key={task.id} task={task} documents={documents} />
        </div>
      )}
      <div className={styles.side}>
        <div className={styles.asked}>
          <Facts task={task} />
          {call ? (
            <CallView task={task} call={call} />
          ) : (
            task.description !== undefined && <p className={styles.text}>{task.description}</p>
          )}
          {round && round.candidates.length > 1 && <RoundView round={round} />}
        </div>
        <div className={styles.answer}>
          <Decision version={version} decided={decided} />
          <History task={task} />
          <TaskComments id={task.id} />
        </div>
      </div>
    </div>
  );
}

function TaskComments({ id }: { id: string }): JSX.Element {
  const words = useTexts(taskTexts);
  const client = useQueryClient();
  const { data = [] } = useComments(id);
  const add = async (text: string) => {
    await ok(api.POST('/api/v1/tasks/{id}/comments', { params: { path: { id } }, body: { text } }));
    await client.invalidateQueries({ queryKey: ['task', id, 'comments'] });
  };
  return (
    <section className={styles.section}>
      <h3>{words.comments}</h3>
      <Comments comments={data} add={add} />
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }): JSX.Element {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Facts({ task }: { task: Task }): JSX.Element {
  const words = useTexts(taskTexts);
  const { sub } = useClaims();
  const types: Readonly<Record<string, string>> = words.types;
  const { dueDate, assignedTo, assignedGroupId, createdBy, onBehalfOf, delegatedFrom, workflowId } = task;
  const person = assignedTo ?? assignedGroupId;
  return (
    <div className={styles.facts}>
      <p className={styles.kind}>{types[task.type] ?? words.step}</p>
      <dl>
        <Fact label={words.from}>
          <Name id={createdBy} />
        </Fact>
        {person !== undefined && person !== sub && (
          <Fact label={words.assignee}>
            <Name id={person} />
          </Fact>
        )}
        {onBehalfOf !== undefined && (
          <Fact label={words.onBehalfOf}>
            <Name id={onBehalfOf} />
          </Fact>
        )}
        {delegatedFrom !== undefined && (
          <Fact label={words.delegatedFrom}>
            <Name id={delegatedFrom} />
          </Fact>
        )}
        {dueDate !== undefined && (
          <Fact label={words.due}>
            <Time at={dueDate} exact />{' '}
            <span className="soft">
              (<Time at={dueDate} />)
            </span>
          </Fact>
        )}
        {workflowId !== undefined && (
          <Fact label={words.workflow}>
            <Link to="/workflows/$id" params={{ id: workflowId }}>
              <Name id={workflowId} />
            </Link>
          </Fact>
        )}
      </dl>
    </div>
  );
}

/** What else the person can do with a task. */
function TaskMenu({ task }: { task: Task }): JSX.Element {
  const words = useTexts(taskTexts);
  const common = useTexts(commonTexts);
  const client = useQueryClient();
  const { sub, role } = useClaims();
  const [isPassingOn, passOn] = useState(false);
  const { id, status, roundId, assignedTo, assignedGroupId } = task;
  // The rules of a round choose who votes. Viewers pass nothing on.
  const canPassOn = status === 'open' && roundId === undefined && role !== 'viewer' && role !== 'auditor';
  const release = () =>
    orToast(async () => {
      await ok(api.POST('/api/v1/tasks/{id}/release', { params: { path: { id } } }));
      await client.invalidateQueries({ queryKey: ['task'] });
      toast(words.released);
    });
  const copy = async () => {
    await navigator.clipboard.writeText(id);
    toast(common.copied);
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={common.actions}>
            <Icon name="dots" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canPassOn && <Menu.Item onClick={() => passOn(true)}>{words.passOn}</Menu.Item>}
          {status === 'open' && assignedTo === sub && assignedGroupId !== undefined && (
            <Menu.Item onClick={() => void release()}>{words.release}</Menu.Item>
          )}
          <Menu.Item onClick={() => void copy()}>{common.copyId}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <PassOn tasks={[task]} isOpen={isPassingOn} close={() => passOn(false)} />
    </>
  );
}
