import type { ReactNode } from 'react';
import VantGrid from 'react-vant/es/grid/Grid.js';
import VantGridItem from 'react-vant/es/grid/GridItem.js';
import type { Place } from '@/pages';
import { Icon, type IconName } from '@/ui/display/Icon';
import { Link } from './Link';
import styles from './Tiles.module.css';

type Tile = { icon: IconName; text: string } & ({ to: Place } | { onClick: () => void });

type Props = {
  label: string;
  tiles: readonly Tile[];
  /** Many small ones, or a row of a few that weigh more. */
  look?: 'grid' | 'row';
};

const columns = { grid: 3, row: 4 };

/** Shortcuts side by side. A tile of react-vant's that can be pressed answers no key: links do. */
export function Tiles({ label, tiles, look = 'grid' }: Props) {
  return (
    <nav aria-label={label} className={styles[look]}>
      <VantGrid columnNum={columns[look]} border={false} className={styles.tiles}>
        {tiles.map((tile) => (
          <VantGridItem
            key={tile.text}
            className={styles.item}
            contentClassName={styles.content}
            text={<Pressed tile={tile} />}
          />
        ))}
      </VantGrid>
    </nav>
  );
}

function Pressed({ tile }: { tile: Tile }): ReactNode {
  const content = (
    <>
      <Icon name={tile.icon} />
      <span>{tile.text}</span>
    </>
  );
  if ('to' in tile) {
    return (
      <Link className={styles.tile} to={tile.to}>
        {content}
      </Link>
    );
  }
  return (
    <button type="button" className={styles.tile} onClick={tile.onClick}>
      {content}
    </button>
  );
}
