/* What a publisher builds from Fluid Player. */
import fluidPlayer from 'fluid-player';
import 'fluid-player/src/css/fluidplayer.css';

Object.assign(window, { fluidPlayer });
