import { Button, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useTexts } from '../../texts/texts.ts';
import styles from './ask.module.css';
import type { DraftField, DraftSigner } from './draft.ts';
import { minSize } from './geometry.ts';
import { askTexts } from './texts.ts';

type PanelProps = {
  field: DraftField;
  signers: readonly DraftSigner[];
  /** The number of pages. */
  pages: number;
  edit: (values: Partial<DraftField>) => void;
  copyTo: (pages: readonly number[]) => void;
  remove: () => void;
};

/** The exact position of the selected field, and what else it needs. It is closed first on a phone. */
export function FieldPanel({ field, signers, pages, edit, copyTo, remove }: PanelProps): JSX.Element {
  const words = useTexts(askTexts);
  const number = (name: 'page' | 'x' | 'y' | 'width' | 'height', [min, max]: [number, number?]) => (
    <NumberInput
      size="xs"
      hideControls
      label={words.position[name]}
      value={field[name]}
      min={min}
      {...(max === undefined ? {} : { max })}
      decimalScale={name === 'page' ? 0 : 1}
      clampBehavior="strict"
      onChange={(value) => typeof value === 'number' && edit({ [name]: value })}
    />
  );
  const rest = Array.from({ length: pages }, (_, at) => at + 1).filter((page) => page !== field.page);
  return (
    <details className={styles.panel} open={matchMedia('(min-width: 45.01rem) and (min-height: 35.01rem)').matches || undefined}>
      <summary>{words.selectedField(words.kinds[field.kind])}</summary>
      <div className={styles.panelFields}>
        <Select
          size="xs"
          className={styles.ownerSelect}
          label={words.fieldFor}
          data={signers.map(({ key, name }) => ({ value: key, label: name }))}
          value={field.signer}
          allowDeselect={false}
          onChange={(signer) => signer !== null && edit({ signer })}
        />
        <div className={styles.numbers}>
          {number('page', [1, pages])}
          {number('x', [0])}
          {number('y', [0])}
          {number('width', [minSize])}
          {number('height', [minSize])}
        </div>
        {(field.kind === 'text' || field.kind === 'checkbox') && (
          <TextInput
            size="xs"
            label={words.label}
            description={words.labelText}
            value={field.label}
            maxLength={200}
            onChange={({ currentTarget: { value } }) => edit({ label: value })}
          />
        )}
        <Switch
          size="sm"
          label={words.required}
          checked={field.required}
          onChange={({ currentTarget: { checked } }) => edit({ required: checked })}
        />
        <div className={styles.panelActions}>
          {field.page < pages && (
            <Button variant="default" size="compact-sm" onClick={() => copyTo([field.page + 1])}>
              {words.copyNext}
            </Button>
          )}
          {pages > 2 && (
            <Button variant="default" size="compact-sm" onClick={() => copyTo(rest)}>
              {words.copyAll}
            </Button>
          )}
          <Button variant="subtle" color="red" size="compact-sm" onClick={remove}>
            {words.removeField}
          </Button>
        </div>
      </div>
    </details>
  );
}
