import { ActionIcon, Button, Select, Switch, TextInput } from '@mantine/core';
import type { DragEvent, JSX } from 'react';
import { useState } from 'react';
import { announce } from '../../parts/announcer.tsx';
import { Icon } from '../../parts/icons.tsx';
import { useTexts } from '../../texts/texts.ts';
import styles from './ask.module.css';
import { type ChangeDraft, type RequestDraft, type DraftSigner, maxSigners, signs } from './draft.ts';
import { SignerPicker } from './signer-picker.tsx';
import { askTexts } from './texts.ts';

export type WhoProps = {
  draft: RequestDraft;
  change: ChangeDraft;
  /** The names of signers in the template of the document. */
  places: readonly string[];
};

/** Changes of the list of signers. */
function useSigners({ draft: { signers }, change, places }: WhoProps) {
  const words = useTexts(askTexts);
  const add = (name: string, email: string) => {
    const free = places.find((place) => !signers.some(({ signsAs }) => signsAs === place));
    const signer: DraftSigner = { key: crypto.randomUUID(), name, email, role: 'signer', ...(free === undefined ? {} : { signsAs: free }) };
    change((before) => ({ ...before, signers: [...before.signers, signer] }));
    announce(words.added(name));
  };
  const move = (from: number, to: number) => {
    if (to < 0 || to >= signers.length || from === to) return;
    change((before) => {
      const next = [...before.signers];
      next.splice(to, 0, ...next.splice(from, 1));
      return { ...before, signers: next };
    });
    announce(words.moved(signers[from]?.name ?? '', to + 1));
  };
  const remove = (key: string) =>
    change((before) => ({
      ...before,
      signers: before.signers.filter((signer) => signer.key !== key),
      fields: before.fields.filter(({ signer }) => signer !== key),
    }));
  const edit = (key: string, values: Partial<DraftSigner>) =>
    change((before) => ({ ...before, signers: before.signers.map((signer) => (signer.key === key ? { ...signer, ...values } : signer)) }));
  return { add, move, remove, edit };
}

/** The signers, their order and what each does. */
export function Who({ draft, change, places }: WhoProps): JSX.Element {
  const words = useTexts(askTexts);
  const [dragged, setDragged] = useState<number>();
  const { signers, inTurn } = draft;
  const { add, move, remove, edit } = useSigners({ draft, change, places });
  const drag = (at: number) => ({
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = 'move';
      setDragged(at);
    },
    onDragEnd: () => setDragged(undefined),
  });
  return (
    <>
      <ol className={styles.people}>
        {signers.map((signer, at) => (
          // The buttons of the row also change the order.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={signer.key}
            className={styles.person}
            data-dragged={dragged === at || undefined}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              if (dragged !== at) {
                move(dragged, at);
                setDragged(at);
              }
            }}
          >
            <SignerRow
              signer={signer}
              at={at}
              places={places}
              edit={(values) => edit(signer.key, values)}
              handle={
                <span className={styles.handle} draggable title={words.drag} {...drag(at)}>
                  <span className={styles.dot} data-signer={at % 6}>
                    {at + 1}
                  </span>
                </span>
              }
              actions={
                <>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={words.up(signer.name)}
                    disabled={at === 0}
                    onClick={() => move(at, at - 1)}
                  >
                    <Icon name="up" size={18} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={words.down(signer.name)}
                    disabled={at === signers.length - 1}
                    onClick={() => move(at, at + 1)}
                  >
                    <Icon name="down" size={18} />
                  </ActionIcon>
                  <ActionIcon variant="subtle" color="gray" aria-label={words.remove(signer.name)} onClick={() => remove(signer.key)}>
                    <Icon name="close" size={18} />
                  </ActionIcon>
                </>
              }
            />
          </li>
        ))}
      </ol>
      {signers.length < maxSigners && <SignerPicker signers={signers} add={add} />}
      {signers.filter(signs).length > 1 && (
        <Switch
          label={words.inTurn}
          description={inTurn ? words.inTurnText : words.atOnceText}
          checked={inTurn}
          onChange={({ currentTarget: { checked } }) => change((before) => ({ ...before, inTurn: checked }))}
        />
      )}
    </>
  );
}

type RowProps = {
  signer: DraftSigner;
  at: number;
  places: readonly string[];
  edit: (values: Partial<DraftSigner>) => void;
  handle: JSX.Element;
  actions: JSX.Element;
};

function SignerRow({ signer, places, edit, handle, actions }: RowProps): JSX.Element {
  const words = useTexts(askTexts);
  const [isOpen, setOpen] = useState(signer.name === '');
  const { name, email, role, signsAs } = signer;
  return (
    <>
      <div className={styles.personHead}>
        {handle}
        <div className={styles.personName}>
          <p>
            <strong>{name === '' ? words.noName : name}</strong>
          </p>
          <p className="soft">{email}</p>
          {(role !== 'signer' || signsAs !== undefined) && (
            <p className="soft">{[role === 'signer' ? '' : words.roles[role], signsAs ?? ''].filter((text) => text !== '').join(' · ')}</p>
          )}
          <Button
            className={styles.edit}
            variant="subtle"
            size="compact-sm"
            aria-expanded={isOpen}
            aria-label={words.ofSigner(isOpen ? words.close : words.edit, name)}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? words.close : words.edit}
          </Button>
        </div>
        <div className={styles.personActions}>{actions}</div>
      </div>
      {isOpen && (
        <div className={styles.personForm}>
          <TextInput label={words.name} value={name} maxLength={255} onChange={({ currentTarget: { value } }) => edit({ name: value })} />
          <TextInput
            label={words.email}
            type="email"
            value={email}
            maxLength={254}
            onChange={({ currentTarget: { value } }) => edit({ email: value })}
          />
          <Select
            label={words.role}
            data={(['signer', 'approver', 'copy'] as const).map((value) => ({ value, label: words.roles[value] }))}
            value={role}
            allowDeselect={false}
            onChange={(value) => edit({ role: value ?? 'signer' })}
          />
          {places.length > 0 && role !== 'copy' && (
            <Select
              label={words.signsAs}
              data={[...places]}
              value={signsAs ?? null}
              clearable
              clearButtonProps={{ 'aria-label': words.noPlace }}
              onChange={(value) => edit({ signsAs: value ?? undefined })}
            />
          )}
        </div>
      )}
    </>
  );
}
