import { type ReactNode, useEffect, useState } from 'react';
import VantImage from 'react-vant/es/image/Image.js';
import { classNames } from '@/ui/class-names';
import styles from './Picture.module.css';

type Props = {
  src: string | null;
  /** Stands there without a picture, and where it does not load. */
  instead?: ReactNode;
  className?: string;
};

/** A decorative picture beside a name that says everything. */
export function Picture({ src, instead, className }: Props) {
  const failed = <span>{instead}</span>;
  return (
    <span className={classNames(styles.frame, className)} aria-hidden="true">
      {/* Without an `alt`, react-vant shows the text "img". */}
      {src ? (
        <VantImage block fit="cover" showError errorIcon={failed} src={src} alt=" " />
      ) : (
        instead
      )}
    </span>
  );
}

/** The address of a file in this page, once there is one. */
export function useObjectUrl(file: Blob | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}
