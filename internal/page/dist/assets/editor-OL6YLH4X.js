import{b as t,c as e}from"./chunk-CXM2YCWO.js";var n=t(e(),1);function o(){return(0,n.jsx)("h1",{children:"New statement"})}export{o as Editor};
