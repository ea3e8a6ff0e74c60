import { type ChangeEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import VantProgress from 'react-vant/es/progress/Progress.js';
import { IconButton } from '@/ui/controls/IconButton';
import { Icon } from '@/ui/display/Icon';
import styles from './ImageUpload.module.css';
import { imageTypes } from './image-problem';
import { type ImageItem, type ImageUploads, isSending } from './image-uploads';
import { Picture as Shown } from './Picture';

type Props = { label: string; uploads: ImageUploads };

/**
 * Several pictures, each with its progress, its refusal and its way out. react-vant's Uploader
 * brings 38 KB, most of it a viewer for pictures, and its tiles answer no key.
 */
export function ImageUpload({ label, uploads }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [leftOut, setLeftOut] = useState(false);
  const items = uploads.use();
  const { max } = uploads;

  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    setLeftOut(!uploads.add([...(event.target.files ?? [])]));
    // Choosing the same file again must count as a choice.
    event.target.value = '';
  };
  const remove = (key: string) => {
    setLeftOut(false);
    uploads.remove(key);
    // The button that had the focus is gone.
    requestAnimationFrame(() => input.current?.focus());
  };
  return (
    <fieldset className={styles.group} aria-describedby={`${id}-hint`}>
      <legend className={styles.label}>{label}</legend>
      <ul className={styles.list}>
        {items.map((item) => (
          <li key={item.key}>
            <Picture
              item={item}
              onRetry={() => uploads.retry(item.key)}
              onRemove={() => remove(item.key)}
            />
          </li>
        ))}
        {items.length < max && (
          <li>
            <label className={styles.add}>
              <input
                ref={input}
                type="file"
                accept={imageTypes}
                multiple
                className="visually-hidden"
                onChange={choose}
              />
              <Icon name="plus" size={26} />
              <span className={styles.addText}>{t('ui.image.add')}</span>
            </label>
          </li>
        )}
      </ul>
      <Problems items={items} leftOut={leftOut} max={max} />
      <p id={`${id}-hint`} className={styles.hint}>
        {t('ui.image.hint', { count: max })}
      </p>
    </fieldset>
  );
}

type PictureProps = { item: ImageItem; onRetry(): void; onRemove(): void };

function Picture({ item, onRetry, onRemove }: PictureProps) {
  const { t } = useTranslation();
  const { name, percent, problem, final, preview } = item;
  const sending = isSending(item);
  const state = sending
    ? t('ui.image.uploading', { name, percent })
    : t(problem ? 'ui.image.failed' : 'ui.image.done', { name });
  return (
    <div className={styles.picture} data-failed={problem !== null}>
      <Shown
        src={preview || null}
        instead={<Icon name="warning" size={26} />}
        className={styles.shown}
      />
      <span className="visually-hidden">{state}</span>
      {sending && (
        <span className={styles.progress} aria-hidden="true">
          <VantProgress percentage={percent} showPivot={false} />
        </span>
      )}
      {problem && !final && (
        <IconButton
          icon="reload"
          size={24}
          label={t('ui.image.retry', { name })}
          className={styles.retry}
          onClick={onRetry}
        />
      )}
      <IconButton
        icon="close"
        size={14}
        label={t('ui.image.remove', { name })}
        className={styles.remove}
        onClick={onRemove}
      />
    </div>
  );
}

type ProblemsProps = { items: ImageItem[]; leftOut: boolean; max: number };

function Problems({ items, leftOut, max }: ProblemsProps) {
  const { t } = useTranslation();
  return (
    <div role="alert" className={styles.problems}>
      {items.map(
        ({ key, name, problem }) =>
          problem && (
            <p key={key}>
              <strong>{name}</strong> {'key' in problem ? t(problem.key) : problem.text}
            </p>
          ),
      )}
      {leftOut && <p>{t('ui.image.tooMany', { count: max })}</p>}
    </div>
  );
}
