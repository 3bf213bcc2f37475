import { render } from 'preact';

const place = document.getElementById('app');
if (place) render(<main>Memory console</main>, place);
