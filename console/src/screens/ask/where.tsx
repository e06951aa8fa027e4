import { Switch } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { JSX } from 'react';
import { useState } from 'react';
import { PdfPages } from '../../parts/pdf/pdf-pages.tsx';
import { useTexts } from '../../texts/texts.ts';
import styles from './ask.module.css';
import { signs } from './draft.ts';
import { FieldBox, LockedBox } from './field-box.tsx';
import { FieldPanel } from './field-panel.tsx';
import { Palette } from './palette.tsx';
import { askTexts } from './texts.ts';
import { type FieldChanges, type Placement, type PlacementProps, useFieldChanges, usePlacement } from './use-placement.ts';

/** The space beside a page, in pixels. */
const edges = 34;
const [minScale, maxScale] = [0.4, 1.5];

/** The fields on the pages, each for one signer. */
export function Where(props: PlacementProps): JSX.Element {
  const { file, draft } = props;
  const words = useTexts(askTexts);
  const { ref, width } = useElementSize();
  const [isPreview, setPreview] = useState(false);
  const placement = usePlacement(props);
  const changes = useFieldChanges(props);
  const { active, choose, place, selected } = placement;
  const hint = active === undefined ? words.addFirst : selected === undefined ? words.paletteText : undefined;
  const widest = Math.max(...file.pages.map((one) => one.width));
  const scale = Math.min(Math.max((width - edges) / widest, minScale), maxScale);
  const shown = { ...props, placement, changes, scale, isPreview };
  return (
    <div className={styles.placement}>
      <div className={styles.tools}>
        <Palette signers={draft.signers} active={active?.key} hint={hint} choose={choose} place={place} />
        <Switch label={words.previewFilled} checked={isPreview} onChange={({ currentTarget: { checked } }) => setPreview(checked)} />
        {selected !== undefined && !isPreview && (
          <FieldPanel
            key={selected.key}
            field={selected}
            signers={draft.signers.filter(signs)}
            pages={file.pages.length}
            edit={(values) => changes.edit(selected.key, values)}
            copyTo={(pages) => changes.copyTo(selected, pages)}
            remove={() => changes.remove(selected.key)}
          />
        )}
      </div>
      <div className={styles.pages} ref={ref}>
        {width > 0 && <PdfPages file={file} scale={scale} overlay={(number) => <PageFields {...shown} page={number} />} />}
      </div>
    </div>
  );
}

type PageProps = PlacementProps & { placement: Placement; changes: FieldChanges; scale: number; isPreview: boolean; page: number };

/** The fields of one page: those of the template, and those of the request. */
function PageFields({ draft, locked, placement, changes, scale, isPreview, page }: PageProps): JSX.Element {
  const { selected, select, snap } = placement;
  return (
    <>
      {locked.map((field, at) => {
        const owner = draft.signers.findIndex(({ signsAs }) => signsAs === field.signer);
        const key = `locked ${at}`;
        return (
          field.page === page && <LockedBox key={key} field={field} signer={draft.signers[owner]} number={owner} isPreview={isPreview} />
        );
      })}
      {draft.fields.map((field) => {
        const owner = draft.signers.findIndex(({ key }) => key === field.signer);
        return (
          field.page === page && (
            <FieldBox
              key={field.key}
              field={field}
              signer={draft.signers[owner]}
              number={owner}
              scale={scale}
              isSelected={field.key === selected?.key}
              isPreview={isPreview}
              select={() => select(field.key)}
              edit={(values) => changes.edit(field.key, values)}
              snap={(box) => snap(field, box)}
              remove={() => changes.remove(field.key)}
            />
          )
        );
      })}
    </>
  );
}
